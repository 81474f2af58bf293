import { catalog } from '../../../../functions/catalog.js';
import { Checks } from '../../components/checks.js';
import { Choice, ErrorSummary, errorOf, Field } from '../../components/fields.js';
import { FormButtons } from '../../components/form-buttons.js';
import type { Frame } from '../../components/frame.js';
import { Page } from '../../components/page.js';
import { PostForm } from '../../components/post-form.js';
import { NONCE_FIELD } from '../../doors/form-nonces.js';
import { KEYS_PATH } from './list-page.js';
import { KINDS, LIFETIMES, type TypedKey } from './read-new-key.js';

/** The form of a new key. */
export function CreatePage({ frame, typed, nonce }: { frame: Frame; typed: TypedKey; nonce: string }) {
  return (
    <Page frame={frame} title="Create an API key" above={{ title: 'API Keys', path: KEYS_PATH }}>
      <ErrorSummary errors={typed.errors} />
      <PostForm to={`${KEYS_PATH}/new`} class="form panel section">
        <input type="hidden" name={NONCE_FIELD} value={nonce} />
        <Field
          name="name"
          label="Name"
          value={typed.name}
          hint="What it is for: the program, machine or person that uses it."
          attributes={{ required: true, maxlength: 200, autocomplete: 'off' }}
          {...errorOf(typed.errors, 'name')}
        />
        <Choice
          name="kind"
          label="Kind"
          value={typed.kind}
          options={KINDS}
          hint="Both do the same; a test key is told from others by its prefix."
          {...errorOf(typed.errors, 'kind')}
        />
        <Choice
          name="expires"
          label="Expires"
          value={typed.expires}
          options={LIFETIMES}
          {...errorOf(typed.errors, 'expires')}
        />
        <Checks
          name="functions"
          label="Functions"
          options={catalog.map(({ id }) => id)}
          chosen={typed.functions}
          hint="None ticked: every function of the plan, later ones too."
          errors={typed.errors}
        />
        <FormButtons action="Create" back={KEYS_PATH} />
      </PostForm>
    </Page>
  );
}
