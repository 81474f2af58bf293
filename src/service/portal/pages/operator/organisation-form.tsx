import { SUBSCRIPTIONS } from '../../../../contract/subscription.js';
import { Choice, ErrorSummary, errorOf, Field, type FieldError, optionsOf } from '../../components/fields.js';
import { FormButtons } from '../../components/form-buttons.js';
import type { Frame } from '../../components/frame.js';
import { Page } from '../../components/page.js';
import { PostForm } from '../../components/post-form.js';
import { NONCE_FIELD } from '../../doors/form-nonces.js';
import { OPERATOR_PATH, ORGANISATIONS_PATH } from './paths.js';

/** The form of an organisation, as it was typed. */
export interface TypedOrganisation {
  name: string;
  plan: string;
  /** Undefined for a new organisation, whose state its plan decides. */
  subscription?: string;
  errors: readonly FieldError[];
}

interface FormProps {
  frame: Frame;
  typed: TypedOrganisation;
  plans: readonly string[];
  nonce?: string;
  /** The organisation that is changed; undefined for a new one. */
  known?: { id: string; name: string };
}

/** The form of a new organisation, or of the change of one. */
export function OrganisationForm({ frame, typed, plans, nonce, known }: FormProps) {
  const path = known === undefined ? `${ORGANISATIONS_PATH}/new` : `${ORGANISATIONS_PATH}/${known.id}/change`;
  const back =
    known === undefined
      ? { title: 'Operator', path: OPERATOR_PATH }
      : { title: known.name, path: `${ORGANISATIONS_PATH}/${known.id}` };
  return (
    <Page
      frame={frame}
      title={known === undefined ? 'Create an organisation' : 'Change this organisation'}
      above={back}
    >
      <ErrorSummary errors={typed.errors} />
      <PostForm to={path} class="form panel section">
        {nonce === undefined ? null : <input type="hidden" name={NONCE_FIELD} value={nonce} />}
        <Field
          name="name"
          label="Name"
          value={typed.name}
          attributes={{ required: true, maxlength: 200, autocomplete: 'off' }}
          {...errorOf(typed.errors, 'name')}
        />
        <Choice
          name="plan"
          label="Plan"
          value={typed.plan}
          options={optionsOf(plans)}
          hint={
            known === undefined
              ? 'TRIAL begins a trial of 30 days; with every other plan it is active at once.'
              : 'Limits of its own stay as they are.'
          }
          {...errorOf(typed.errors, 'plan')}
        />
        {typed.subscription === undefined ? null : (
          <Choice
            name="subscription"
            label="State"
            value={typed.subscription}
            options={optionsOf(SUBSCRIPTIONS)}
            hint="trialing goes on with a trial that still runs, or begins one of 30 days; documents of the last three are refused with PAYMENT_REQUIRED."
            {...errorOf(typed.errors, 'subscription')}
          />
        )}
        <FormButtons action={known === undefined ? 'Create' : 'Save'} back={back.path} />
      </PostForm>
    </Page>
  );
}
