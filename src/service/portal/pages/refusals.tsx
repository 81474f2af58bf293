import type { VNode } from 'preact';
import { ENTER_PATH } from '../../../contract/portal.js';
import { answerPage, type PortalAnswer } from '../answers.js';
import type { Assets } from '../assets.js';
import { BarePage } from '../components/bare-page.js';
import type { Frame } from '../components/frame.js';
import { Page } from '../components/page.js';

const REFUSALS = {
  misdirected: [421, 'Wrong address', 'This service is not at the address that your browser has called.'],
  'no-session': [401, 'Your session has ended', 'Nothing was changed. Enter again with a new link.'],
  'not-found': [404, 'Not found', 'There is nothing here, or it is not yours to see.'],
  'not-allowed': [403, 'Not allowed', 'Your role may not do this. An owner of your organisation may know who can.'],
  forged: [
    403,
    'Nothing was changed',
    'This form is not of your present session. Open the page again and repeat it there.',
  ],
  'too-large': [413, 'Nothing was changed', 'The form is too large.'],
  'no-form': [415, 'Nothing was changed', 'What was sent is no form of these pages.'],
  failed: [
    500,
    'Something went wrong',
    'The service could not make this page. Try again in a moment; the journal says more.',
  ],
  away: [503, 'Not available', 'The service cannot reach its database; load this page again in a few seconds.'],
} as const;

/** Support is of no organisation that has an owner. */
const NOT_FOR_SUPPORT = 'Your role may not do this. An operator can.';

export type Refusal = keyof typeof REFUSALS;

const HEADERS: Partial<Record<Refusal, Record<string, string>>> = { away: { 'retry-after': '5' } };

/** Answers a call that gets no page, inside of the frame for whoever has a session. */
export function answerRefusal(refusal: Refusal, assets: Pick<Assets, 'pathOf'>, frame?: Frame): PortalAnswer {
  const answer = answerPage(renderRefusal(refusal, assets, frame), REFUSALS[refusal][0]);
  return { ...answer, headers: { ...answer.headers, ...HEADERS[refusal] } };
}

function renderRefusal(refusal: Refusal, { pathOf }: Pick<Assets, 'pathOf'>, frame: Frame | undefined): VNode {
  const [, title, said] = REFUSALS[refusal];
  const text = refusal === 'not-allowed' && frame?.role === 'support' ? NOT_FOR_SUPPORT : said;
  if (frame !== undefined)
    return (
      <Page frame={frame} title={title}>
        <p>{text}</p>
      </Page>
    );
  return (
    <BarePage title={title} pathOfAsset={pathOf}>
      <p>{text}</p>
      {refusal === 'no-session' ? (
        <p>
          <a href={ENTER_PATH}>Enter the portal</a>
        </p>
      ) : null}
    </BarePage>
  );
}
