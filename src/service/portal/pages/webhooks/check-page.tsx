import { CodeBlock } from '../../components/code-block.js';
import { Area, Field } from '../../components/fields.js';
import type { Frame } from '../../components/frame.js';
import { Page } from '../../components/page.js';
import { WEBHOOKS_PATH } from './cells.js';

/** Reads the body from standard input; the secret is asked for, so that it stands in no history. */
const COMMAND = `ocr verify-webhook --explain --signature 't=…,v1=…' -`;

/**
 * Checks a signature in the browser. The fields are in no form, so that nothing typed here is sent. Without script, and where
 * browsers have no cryptography (plain http), the line for a terminal stays.
 */
export function CheckPage({ frame, body }: { frame: Frame; body: string }) {
  return (
    <Page
      frame={frame}
      title="Check a signature"
      above={{ title: 'Webhooks', path: WEBHOOKS_PATH }}
      modules={['check-signature.js']}
    >
      <p class="lead">
        Says why a receiver refuses a delivery. The check runs in your browser: nothing that you paste here is sent or
        kept.
      </p>
      <div class="form panel section" data-check="" hidden>
        <Area name="check-body" label="Body" value={body} hint="The raw body, as it was before it was parsed." />
        <Field
          name="check-header"
          label="X-Service-Signature"
          attributes={{ placeholder: 't=1614265330,v1=10c9…', autocomplete: 'off', spellcheck: false }}
        />
        <Field
          name="check-secret"
          label="Signing secret"
          attributes={{ placeholder: 'whsec_…', autocomplete: 'off', spellcheck: false }}
        />
        <div class="buttons start">
          <button class="button main" type="button" data-check-run="">
            Check
          </button>
        </div>
        <div role="status" data-check-verdict="" />
      </div>
      <section class="panel section part" aria-labelledby="check-command">
        <h2 id="check-command">In a terminal</h2>
        <p class="hint" data-check-lack="">
          This browser cannot check here: that takes script, and https or this machine. The command does it, with the
          body on its standard input.
        </p>
        <CodeBlock text={COMMAND} name="command" />
      </section>
    </Page>
  );
}
