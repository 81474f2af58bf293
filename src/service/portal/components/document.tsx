import type { ComponentChildren } from 'preact';

/** The HTML around any page, with or without a session. */
export function Document(props: {
  title: string;
  pathOfAsset(name: string): string;
  /** Modules beside that of every page. */
  modules?: readonly string[];
  children: ComponentChildren;
}) {
  const { title, pathOfAsset, modules = [], children } = props;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · OCR`}</title>
        <link rel="icon" href={pathOfAsset('icon.svg')} type="image/svg+xml" />
        <link rel="stylesheet" href={pathOfAsset('portal.css')} />
        {['page.js', ...modules].map((name) => (
          <script key={name} type="module" src={pathOfAsset(name)} />
        ))}
      </head>
      <body>{children}</body>
    </html>
  );
}
