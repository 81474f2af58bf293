import type { ComponentChildren } from 'preact';
import type { StyleName } from '../style/style.js';

/** The HTML around any page, with or without a session. */
export function Document(props: {
  title: string;
  pathOfAsset(name: string): string;
  /** Modules beside that of every page. */
  modules?: readonly string[];
  /** Style sheets beside that of every page. */
  styles?: readonly StyleName[];
  /** Seconds after which a page that waits loads itself again, where no script does. */
  refreshS?: number;
  children: ComponentChildren;
}) {
  const { title, pathOfAsset, modules = [], styles = [], refreshS, children } = props;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {refreshS === undefined ? null : (
          <noscript>
            <meta http-equiv="refresh" content={String(refreshS)} />
          </noscript>
        )}
        <title>{`${title} · OCR`}</title>
        <link rel="icon" href={pathOfAsset('icon.svg')} type="image/svg+xml" />
        {(['portal.css', ...styles] as const).map((name) => (
          <link key={name} rel="stylesheet" href={pathOfAsset(name)} />
        ))}
        {['page.js', ...modules].map((name) => (
          <script key={name} type="module" src={pathOfAsset(name)} />
        ))}
      </head>
      <body>{children}</body>
    </html>
  );
}
