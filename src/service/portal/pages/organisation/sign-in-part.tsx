import type { Account } from '../../../../store/member-identities.js';
import { PostForm } from '../../components/post-form.js';
import { SIGN_IN_PATH } from '../../doors/sign-in-paths.js';
import { DISCONNECT_PATH } from './paths.js';

/** The account by which somebody enters without a link. */
export function SignInPart({ provider, account }: { provider: string; account?: Account }) {
  return (
    <section class="panel" aria-labelledby="sign-in">
      <div class="title">
        <h2 id="sign-in">Your sign-in</h2>
        {account === undefined ? (
          <a class="button small" href={`${SIGN_IN_PATH}?for=connect`}>{`Connect ${provider}`}</a>
        ) : (
          <PostForm to={DISCONNECT_PATH}>
            <button class="button small" type="submit">
              Disconnect
            </button>
          </PostForm>
        )}
      </div>
      <p class="quiet">
        {account === undefined ? (
          `Connect your account of ${provider}, and you enter without a link from then on.`
        ) : (
          <>
            You enter with <bdi>{account.label}</bdi> of {provider}.
          </>
        )}
      </p>
    </section>
  );
}
