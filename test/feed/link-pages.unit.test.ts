import { describe, expect, it } from 'vitest';
import { readPage } from '../../src/domains/feed/links/read-page.js';
import { cpuTimeOf } from '../support/cpu-time.js';

const url = new URL('https://example.com/a/b');
const read = (html: string) => readPage({ html, url }, new Set(['127.0.0.1:8080']));

const LARGEST = 128 * 1_024;
const filledWith = (start: string, part: string) => (start + part.repeat(LARGEST)).slice(0, LARGEST);
const numbered = (start: string, part: (index: number) => string) =>
  (start + Array.from({ length: LARGEST / 4 }, (_, index) => part(index)).join('')).slice(0, LARGEST);
const marks = '\u0301'.repeat(LARGEST / 2) + '\u0316'.repeat(LARGEST / 2);

describe('reading a page', () => {
  it.each([
    ['<svg> in <svg>', '<svg>'.repeat(104_000)],
    ['<mi> in <math>', '<math><mi>'.repeat(52_000)],
    ['HTML in <svg> in HTML', '<svg><foreignObject>'.repeat(26_000)],
    ['a title of combining marks', `<title>a${marks}</title>`],
    ['a named title of combining marks', `<meta property="og:title" content="a${marks}">`],
    ['titles of combining marks', `<title>a${marks.slice(0, 1_500)}</title>`.repeat(80)],
    ['a long picture', `<meta property="og:image" content="https://${filledWith('', 'ü')}/">`],
    ['a title of spaces', `<title>${filledWith('', ' ')}x</title>`],
    ['elements in each other', filledWith('', '<div>')],
    ['many attributes', numbered('<meta', (index) => ` ${index.toString(36)}`)],
    ['many meta elements', numbered('', (index) => `<meta name=${index} content=b>`)],
    ['comments in comments', filledWith('', '<!--')],
    ['scripts in comments in scripts', filledWith('<script>', '<!--<script')],
    ['half an end tag again and again', filledWith('<title>', '</titl')],
    ['entities', filledWith('<meta property="og:title" content="', '&lt;')],
    ['entities without an end', filledWith('<title>', '&am')],
  ])('takes a worker no tenth of a second: %s', (_what, html) => {
    read('<title>Ferries</title>');
    // What other tests leave for the garbage collector is no part of the page's cost.
    const costs = [1, 2, 3].map(() => cpuTimeOf(() => read(html)));
    expect(Math.min(...costs)).toBeLessThan(100);
  });

  it('ends with its head, wherever that ends', () => {
    for (const end of ['</head>', '<body>', '<BODY class="a">', '<svg>', '<math>'])
      expect(read(`<title>Ferries</title>${end}<meta property="og:title" content="No">`).title).toBe(
        'Ferries',
      );
    expect(read('<script>"<body></head>"</script><!-- <svg> --><title>Ferries</title>').title).toBe(
      'Ferries',
    );
  });

  it.each([
    ['/boat.png', 'https://example.com/boat.png'],
    ['https://cdn.example.com:443/a?b', 'https://cdn.example.com/a?b'],
    ['https://1.1.1.1/a', 'https://1.1.1.1/a'],
    ['http://127.0.0.1:8080/of-a-test', 'http://127.0.0.1:8080/of-a-test'],
    ['http://example.com/a', null],
    ['http://127.0.0.1:8081/a', null],
    ['https://example.com:8443/a', null],
    ['https://192.168.1.1/reboot', null],
    ['https://0x7f.1/a', null],
    ['https://[::1]/a', null],
    ['https://[::ffff:10.0.0.1]/a', null],
    ['https://168.63.129.16/a', null],
    ['https://localhost/a', null],
    ['https://localhost./a', null],
    ['https://localhost../a', null],
    ['https://app.localhost/a', null],
    ['https://router/a', null],
    ['https://printer.local/a', null],
    ['https://ann:secret@example.com/a', null],
    [`https://example.com/${'a'.repeat(2_048)}`, null],
  ])('has a picture at %.60s only where the public Internet has it', (image, found) => {
    expect(read(`<meta property="og:image" content="${image}">`).imageUrl).toBe(found);
  });

  it.each([
    ['x\u200b\u200e\u061c\u00ad\u{e0041}admin', 'xadmin'],
    ['\u202eevil\u2066 title', 'evil title'],
    ['\u200d\u200c\ufe0f\u3164', null],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    ['क्\u200dष', 'क्\u200dष'],
    ['❤\ufe0f\u200d🔥 👩\u200d🚀', '❤\ufe0f\u200d🔥 👩\u200d🚀'],
  ])('has a title without what nobody sees: %j', (title, shown) => {
    expect(read(`<title>${title}</title>`).title).toBe(shown);
  });
});
