/** The name of the page's button: what a mail client posts by itself (RFC 8058) does not have it. */
export const CONFIRM = 'confirm';

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;

/** Asks before anything changes; posts to its own address. */
export const unsubscribePage = page(
  'Unsubscribe',
  `<p>Do you want no more mails of this kind?</p>
<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button name="${CONFIRM}" value="1">Unsubscribe</button>
</form>`,
);

export const unsubscribedPage = page(
  'Unsubscribed',
  '<p>You get no more mails of this kind. In your notification settings you can switch them on again.</p>',
);
