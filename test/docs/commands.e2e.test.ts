import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Block, blocksOf, guides, stepOf } from './blocks.js';
import { play } from './play.js';
import { type Product, startProduct } from './product.js';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  // The picture that media.md lets its reader bring.
  const picture = { create: { width: 40, height: 30, channels: 3 as const, background: 'teal' } };
  await sharp(picture).jpeg().toFile(path.join(product.folder, 'holiday.jpg'));
  // Demo data are loaded: ten seconds, and many times that on a machine that others keep busy.
}, 400_000);
afterAll(() => product?.stop());

describe('a reader who follows the guide finds that its commands work and answer what it shows', () => {
  const played = guides.filter((guide) => blocksOf(guide).some((block) => stepOf(block)));
  it.each(played)('%s', (guide) => play(guide, product), 300_000);
});

describe('the test of the guides fails', () => {
  const block = (language: string, info: string, text: string): Block => ({
    at: 'here:1',
    language,
    info,
    text,
  });
  it.each<[string, Block[], RegExp]>([
    ['where a command fails', [block('sh', '', 'true; ls /nowhere; true')], /`ls \/nowhere` failed/],
    ['where a command does not exist', [block('sh', '', 'tydings start')], /failed/],
    [
      'where the API refuses what the guide does',
      [block('graphql', '', 'mutation { likePost(input: { postId: "none" }) { userErrors { code } } }')],
      /was refused/,
    ],
    ['where a field is misspelt', [block('graphql', '', '{ me { usrId } }')], /was refused/],
    [
      'where another answer comes',
      [block('sh', '', `echo '{"a":{"b":1,"c":2}}'`), block('json', 'answer', '{"a":{"b":2}}')],
      /a\.b is 1 and not 2/,
    ],
    [
      'where another output comes',
      [block('sh', '', 'echo one'), block('text', 'answer', 'two')],
      /another text/,
    ],
    [
      'where rules have a fault',
      [block('yaml', 'rules', 'domain: x\ndescriptors: [{ key: nobody }]')],
      /was refused/,
    ],
    ['where nothing says how a block is run', [block('sh', 'later', 'ls')], /neither how to run it/],
  ])('%s', async (_, blocks, message) => {
    await expect(play('here', product, blocks)).rejects.toThrow(message);
  });
});
