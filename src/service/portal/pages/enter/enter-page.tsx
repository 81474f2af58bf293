import { ENTER_PATH } from '../../../../contract/portal.js';
import { BarePage } from '../../components/bare-page.js';
import { ErrorSummary, Field } from '../../components/fields.js';

/**
 * The page that a link opens. A look at it uses no link up, since mail scanners open each; the token is in the fragment, and only
 * the button sends it. Without script the code is pasted.
 */
export function EnterPage({ error, pathOfAsset }: { error?: string; pathOfAsset(name: string): string }) {
  return (
    <BarePage title="Enter the portal" pathOfAsset={pathOfAsset} modules={['enter.js']}>
      {error === undefined ? null : <ErrorSummary errors={[{ field: 'token', message: error }]} />}
      <form method="post" action={ENTER_PATH} class="stack" data-enter="">
        <p class="soft" data-enter-hint="">
          Paste the code from your link: all that follows the sign #.
        </p>
        <Field
          name="token"
          label="Code"
          attributes={{ required: true, autocomplete: 'off', spellcheck: false }}
          {...(error === undefined ? {} : { error })}
        />
        <button class="button main" type="submit">
          Enter
        </button>
      </form>
    </BarePage>
  );
}
