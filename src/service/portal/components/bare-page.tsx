import type { ComponentChildren } from 'preact';
import { Document } from './document.js';

/** A page for somebody without a session. */
export function BarePage(props: {
  title: string;
  pathOfAsset(name: string): string;
  modules?: readonly string[];
  children: ComponentChildren;
}) {
  const { title, children, ...rest } = props;
  return (
    <Document title={title} styles={['door.css']} {...rest}>
      <main class="bare" id="main">
        <div class="card">
          <div class="brand">
            <span class="mark" aria-hidden="true" />
            <span class="whose">OCR</span>
          </div>
          <h1>{title}</h1>
          {children}
        </div>
      </main>
    </Document>
  );
}
