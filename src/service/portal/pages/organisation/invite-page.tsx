import { Choice, ErrorSummary, errorOf, Field, type FieldError } from '../../components/fields.js';
import { FormButtons } from '../../components/form-buttons.js';
import type { Frame } from '../../components/frame.js';
import { Page } from '../../components/page.js';
import { PostForm } from '../../components/post-form.js';
import { NONCE_FIELD } from '../../doors/form-nonces.js';
import { ORGANISATION_PATH } from './paths.js';

/** Roles that an invitation gives, in the order of the form. */
export const INVITED_ROLES = [
  { value: 'member', label: 'Member' },
  { value: 'owner', label: 'Owner' },
] as const;

/** The form of an invitation, as it was typed. */
export interface TypedInvitation {
  name: string;
  role: string;
  errors: readonly FieldError[];
}

export function InvitePage({ frame, typed, nonce }: { frame: Frame; typed: TypedInvitation; nonce: string }) {
  return (
    <Page frame={frame} title="Invite somebody" above={{ title: 'Organisation', path: ORGANISATION_PATH }}>
      <ErrorSummary errors={typed.errors} />
      <PostForm to={`${ORGANISATION_PATH}/invite`} class="form panel section">
        <input type="hidden" name={NONCE_FIELD} value={nonce} />
        <Field
          name="name"
          label="Name"
          value={typed.name}
          hint="The person’s name or e-mail address, as members and the audit log show it."
          attributes={{ required: true, maxlength: 200, autocomplete: 'off' }}
          {...errorOf(typed.errors, 'name')}
        />
        <Choice
          name="role"
          label="Role"
          value={typed.role}
          options={INVITED_ROLES}
          hint="Members look at everything, try functions and send again. Owners also change keys, endpoints and members."
          {...errorOf(typed.errors, 'role')}
        />
        <p class="hint">
          You get a link that works once, within 72 hours. Send it yourself: this service sends no mail.
        </p>
        <FormButtons action="Create" back={ORGANISATION_PATH} />
      </PostForm>
    </Page>
  );
}
