import { catalog } from '../../../../functions/catalog.js';
import { Checks } from '../../components/checks.js';
import { Choice, ErrorSummary, errorOf, Field, type FieldError, optionsOf } from '../../components/fields.js';
import { FormButtons } from '../../components/form-buttons.js';
import type { Frame } from '../../components/frame.js';
import { Page } from '../../components/page.js';
import { PostForm } from '../../components/post-form.js';
import { Question } from '../../components/question.js';
import { PLANS_PATH } from './paths.js';
import { NUMBERS, type TypedPlan } from './read-plan.js';

const ABOVE = { title: 'Plans', path: PLANS_PATH };

/** The form of a plan's limits. */
export function PlanForm({ frame, name, typed }: { frame: Frame; name: string; typed: TypedPlan }) {
  return (
    <Page frame={frame} title={name} above={ABOVE}>
      <ErrorSummary errors={typed.errors} />
      <p class="lead">Every organisation on this plan gets these limits, besides those that have their own.</p>
      <PostForm to={`${PLANS_PATH}/${name}`} class="form panel section">
        <div class="pairs">
          {NUMBERS.map(({ name: field, label, hint }) => (
            <Field
              key={field}
              name={field}
              label={label}
              value={typed.numbers[field]}
              hint={hint}
              attributes={{ required: true, autocomplete: 'off' }}
              {...errorOf(typed.errors, field)}
            />
          ))}
        </div>
        <Choice
          name="webhooks"
          label="Webhooks"
          value={typed.webhooks}
          options={['yes', 'no'].map((value) => ({ value, label: value }))}
          {...errorOf(typed.errors, 'webhooks')}
        />
        <Checks
          name="functions"
          label="Functions"
          options={catalog.map(({ id }) => id)}
          chosen={typed.functions}
          hint="None ticked: every function, later ones too."
          errors={typed.errors}
        />
        <FormButtons action="Save" back={PLANS_PATH} />
      </PostForm>
    </Page>
  );
}

/** The form of a new plan, as it was typed. */
export interface TypedNewPlan {
  name: string;
  from: string;
  errors: readonly FieldError[];
}

export function NewPlanForm(props: { frame: Frame; typed: TypedNewPlan; plans: readonly string[] }) {
  const { frame, typed, plans } = props;
  return (
    <Page frame={frame} title="Create a plan" above={ABOVE}>
      <ErrorSummary errors={typed.errors} />
      <PostForm to={`${PLANS_PATH}/new`} class="form panel section">
        <Field
          name="name"
          label="Name"
          value={typed.name}
          hint="A letter, then letters, digits, _ and -, at most 40: SCHOOLS."
          attributes={{ required: true, maxlength: 40, autocomplete: 'off', spellcheck: false }}
          {...errorOf(typed.errors, 'name')}
        />
        <Choice
          name="from"
          label="Limits like those of"
          value={typed.from}
          options={optionsOf(plans)}
          hint="You change them on the next page."
          {...errorOf(typed.errors, 'from')}
        />
        <FormButtons action="Create" back={PLANS_PATH} />
      </PostForm>
    </Page>
  );
}

/** Asks before a plan goes. `refusal` says why it cannot. */
export function RemovePlanPage({ frame, name, refusal }: { frame: Frame; name: string; refusal?: string }) {
  const title = 'Remove this plan?';
  return (
    <Page frame={frame} title={title} above={ABOVE}>
      <ErrorSummary errors={refusal === undefined ? [] : [{ field: 'none', message: refusal }]} />
      <Question title={title} to={`${PLANS_PATH}/${name}/remove`} action="Remove" back={PLANS_PATH}>
        <p>
          <strong>{name}</strong> goes for good. A plan that organisations have, and one that every service has, stays.
        </p>
      </Question>
    </Page>
  );
}
