import type { OcrFunction } from '../../../../functions/function.js';
import type { Plan } from '../../../../store/plans.js';
import { Badge, toneOfStatus } from '../../components/badge.js';
import { CopyableLink } from '../../components/copyable.js';
import { ErrorSummary, errorOf, type FieldError } from '../../components/fields.js';
import type { Frame } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import { Notice } from '../../components/notice.js';
import { Page } from '../../components/page.js';
import { PostForm } from '../../components/post-form.js';
import { Prose } from '../../components/prose.js';
import { NONCE_FIELD } from '../../doors/form-nonces.js';
import { isInPlan } from '../functions/in-plan.js';
import { FunctionLimits } from '../functions/limits.js';
import { FUNCTIONS_PATH } from '../functions/list-page.js';
import { listFields } from './argument-fields.js';
import { ArgumentInput } from './argument-input.js';
import { FILE_FIELD, type Refusal, type RefusedCall } from './explain-refusal.js';
import { tryPathOf } from './try-paths.js';

const MIB = 1024 * 1024;

interface FormProps {
  frame: Frame;
  entry: OcrFunction;
  plan: Plan | undefined;
  maxFileBytes: number;
  nonce: string;
  typed: URLSearchParams;
  /** True before anything was typed. */
  isFresh: boolean;
  errors?: readonly FieldError[];
  refusal?: Refusal | undefined;
  refused?: RefusedCall | undefined;
}

/** The form that runs a function on one file. */
export function FormPage(props: FormProps) {
  const { frame, entry, plan, maxFileBytes, nonce, typed, isFresh, errors = [], refusal, refused } = props;
  return (
    <Page
      frame={frame}
      title={`Try ${entry.title.toLowerCase()}`}
      above={{ title: entry.title, path: `${FUNCTIONS_PATH}/${entry.id}` }}
      modules={['sending.js']}
      styles={['try-form.css']}
    >
      <p class="lead">
        <Prose text={entry.description.split(/(?<=\.)\s/, 1)[0] ?? ''} />
      </p>
      <ErrorSummary errors={errors} />
      {refusal === undefined ? null : <RefusalNotice {...refusal} />}
      {refused === undefined ? null : <RefusedCallPart {...refused} />}
      {plan === undefined || isInPlan(entry.id, plan) ? null : (
        <Notice tone="warn">The plan does not include this function: a call of it is refused.</Notice>
      )}
      <PostForm to={tryPathOf(entry.id)} hasFile class="columns">
        <input type="hidden" name={NONCE_FIELD} value={nonce} />
        <fieldset class="panel arguments">
          <legend>Arguments</legend>
          {listFields(entry.argsSchema).map((field) => (
            <ArgumentInput key={field.name} {...{ field, typed, isFresh, errors }} />
          ))}
        </fieldset>
        <div>
          <div class="panel section">
            <FileInput {...{ entry, maxFileBytes, errors }} />
            <div class="run">
              <button class="button main" type="submit" data-sending="Sending …">
                Run and count one document
              </button>
              <p class="soft">A call like any other: it is in the request logs, under the key “portal”.</p>
            </div>
          </div>
          <section class="panel section" aria-labelledby="try-limits">
            <h2 id="try-limits">Limits</h2>
            <FunctionLimits {...{ entry, plan, maxFileBytes }} />
          </section>
        </div>
      </PostForm>
    </Page>
  );
}

/** The last field: those before it are known before any of the file is stored. */
function FileInput({
  entry,
  maxFileBytes,
  errors,
}: Pick<FormProps, 'entry' | 'maxFileBytes'> & {
  errors: readonly FieldError[];
}) {
  const { error } = errorOf(errors, FILE_FIELD);
  return (
    <div class="field file">
      <label for={`field-${FILE_FIELD}`}>Document</label>
      <input
        id={`field-${FILE_FIELD}`}
        type="file"
        name={FILE_FIELD}
        required
        accept={entry.acceptedTypes.join(',')}
        aria-describedby={error === undefined ? 'hint-file' : 'hint-file error-file'}
        {...(error === undefined ? {} : { 'aria-invalid': true as const })}
      />
      <p class="hint" id="hint-file">
        {`One file of at most ${(maxFileBytes / MIB).toLocaleString('en')} MiB, chosen or dropped here.`}
        {errors.length > 0 ? ' Choose it again: browsers do not keep files.' : ''}
      </p>
      {error === undefined ? null : (
        <p class="error" id="error-file">
          {error}
        </p>
      )}
    </div>
  );
}

/** The call behind a refusal, to quote and to look up. */
function RefusedCallPart({ requestId, code, status }: RefusedCall) {
  const path = `/request-logs/${requestId}`;
  return (
    <section aria-label="Refused call">
      <p class="subject">
        <Badge tone={toneOfStatus(status)}>{status}</Badge>
        <strong>{code}</strong>
        <CopyableLink text={requestId} name="request ID" path={path} />
        <Link to={path}>See the call in the request logs</Link>
      </p>
    </section>
  );
}

function RefusalNotice({ title, message, next, link }: Refusal) {
  return (
    <div class="notice bad" role="alert" tabindex={-1} data-focus="">
      <h2>{title}</h2>
      <p>
        {message}. {next}
      </p>
      {link === undefined ? null : (
        <p>
          <Link to={link.path}>{link.text}</Link>
        </p>
      )}
    </div>
  );
}
