import { renderToString } from 'preact-render-to-string';
import type { PortalAnswer } from '../../answers.js';

/** A picture that says why there is none: it stands in the place of the page. */
export function drawReason(reason: string): PortalAnswer {
  const drawing = (
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 420 594" width="420" height="594">
      <title>No picture</title>
      <rect width="420" height="594" fill="#f6f7f9" />
      <text x="210" y="290" text-anchor="middle" font-family="system-ui, sans-serif" font-size="15" fill="#56616f">
        <tspan x="210">No picture of this page:</tspan>
        <tspan x="210" dy="24">
          {reason.slice(0, 60)}
        </tspan>
      </text>
    </svg>
  );
  return { status: 404, body: renderToString(drawing), headers: { 'content-type': 'image/svg+xml' } };
}
