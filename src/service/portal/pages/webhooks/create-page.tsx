import { EVENT_TYPES } from '../../../../contract/webhook-event.js';
import { Checks } from '../../components/checks.js';
import { ErrorSummary, errorOf, Field, type FieldError } from '../../components/fields.js';
import { FormButtons } from '../../components/form-buttons.js';
import type { Frame } from '../../components/frame.js';
import { Page } from '../../components/page.js';
import { PostForm } from '../../components/post-form.js';
import { NONCE_FIELD } from '../../doors/form-nonces.js';
import { WEBHOOKS_PATH } from './cells.js';

/** The form of a new endpoint as it was typed. */
export interface TypedEndpoint {
  url: string;
  events: readonly string[];
  errors: readonly FieldError[];
}

/** The form of a new endpoint. */
export function CreatePage({ frame, typed, nonce }: { frame: Frame; typed: TypedEndpoint; nonce: string }) {
  return (
    <Page frame={frame} title="Create an endpoint" above={{ title: 'Webhooks', path: WEBHOOKS_PATH }}>
      <ErrorSummary errors={typed.errors} />
      <PostForm to={`${WEBHOOKS_PATH}/new`} class="form panel section">
        <input type="hidden" name={NONCE_FIELD} value={nonce} />
        <Field
          name="url"
          label="URL"
          value={typed.url}
          hint="Begins with https://, and its host has a public address."
          attributes={{ type: 'url', required: true, maxlength: 2048, autocomplete: 'off', spellcheck: false }}
          {...errorOf(typed.errors, 'url')}
        />
        <Checks
          name="events"
          label="Events"
          options={EVENT_TYPES}
          chosen={typed.events}
          hint="None ticked: all events."
          errors={typed.errors}
        />
        <FormButtons action="Create" back={WEBHOOKS_PATH} />
      </PostForm>
    </Page>
  );
}
