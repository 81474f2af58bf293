import { ENTER_PATH } from '../../../../contract/portal.js';
import { BarePage } from '../../components/bare-page.js';
import { ErrorSummary, Field } from '../../components/fields.js';
import { Notice } from '../../components/notice.js';
import { SIGN_IN_PATH } from '../../doors/sign-in-paths.js';

/** The field of a form that connects an account with whom the link lets in. */
export const ACCOUNT_FIELD = 'account';

interface EnterProps {
  error?: string;
  /** Name of the sign-in provider. */
  provider?: string | undefined;
  /** The account that the provider has named, which nobody is connected with. */
  account?: string | undefined;
  pathOfAsset(name: string): string;
}

/**
 * The page that a link opens. A look at it uses no link up, since mail scanners open each; the token is in the fragment, and only
 * the button sends it. Without script the code is pasted.
 */
export function EnterPage({ error, provider, account, pathOfAsset }: EnterProps) {
  return (
    <BarePage title="Enter the portal" pathOfAsset={pathOfAsset} modules={['enter.js']}>
      {error === undefined ? null : <ErrorSummary errors={[{ field: 'token', message: error }]} />}
      {provider === undefined || account !== undefined ? null : (
        <div data-sign-in="">
          <p>
            <a class="button main" href={SIGN_IN_PATH}>{`Sign in with ${provider}`}</a>
          </p>
          <p class="or">or with a link</p>
        </div>
      )}
      {account === undefined ? null : (
        <Notice tone="warn">
          <p>
            You are signed in as <bdi>{account}</bdi>, whom nobody here knows yet. Enter once with the link of your
            invitation: after that {provider} is enough. Without one, ask an owner of your organisation.
          </p>
        </Notice>
      )}
      <form method="post" action={ENTER_PATH} class="stack" data-enter="">
        {account === undefined ? null : <input type="hidden" name={ACCOUNT_FIELD} value="connect" />}
        <p class="soft" data-enter-hint="">
          Paste the code from your link: all that follows the sign #.
        </p>
        <Field
          name="token"
          label="Code"
          attributes={{ required: true, autocomplete: 'off', spellcheck: false }}
          {...(error === undefined ? {} : { error })}
        />
        <button class={provider === undefined || account !== undefined ? 'button main' : 'button wide'} type="submit">
          Enter
        </button>
      </form>
    </BarePage>
  );
}
