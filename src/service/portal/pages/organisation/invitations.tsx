import { ENTER_PATH } from '../../../../contract/portal.js';
import type { MemberRole } from '../../../../store/members.js';
import { insertOwnLink } from '../../../../store/portal-links.js';
import { hashToken, mintToken } from '../../../secrets/tokens.js';
import { answerPage, answerRedirect, type PortalAnswer, PortalNotFound } from '../../answers.js';
import { hrefOf } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import { RepeatedPage, SecretPage } from '../../components/secret-page.js';
import { Time } from '../../components/time.js';
import { mintNonce, NONCE_FIELD, readNonce } from '../../doors/form-nonces.js';
import { originOf, ownScopeOf, type PortalCall } from '../../portal-call.js';
import { findMember } from '../../scoped/organisation.js';
import { errorsOfName } from '../errors-of-name.js';
import { INVITED_ROLES, InvitePage, type TypedInvitation } from './invite-page.js';
import { ORGANISATION_PATH } from './paths.js';
import { NewLinkPage } from './questions.js';

const LINK_TTL_MS = 72 * 3_600_000;
const ABOVE = { title: 'Organisation', path: ORGANISATION_PATH };

export async function answerInviteForm(call: PortalCall): Promise<PortalAnswer> {
  const typed = { name: '', role: 'member', errors: [] };
  return answerPage(<InvitePage frame={call.frame} typed={typed} nonce={nonceFor(call)} />);
}

export async function invite(call: PortalCall): Promise<PortalAnswer> {
  const { frame, form } = call;
  const id = readNonce(placeOf(call), form.get(NONCE_FIELD));
  const typed = readInvitation(form);
  const refuse = (refused: TypedInvitation) =>
    answerPage(<InvitePage frame={frame} typed={refused} nonce={nonceFor(call)} />, 422);
  if (id === undefined || typed.errors.length > 0) return refuse(typed);
  const person = { id, name: typed.name.trim(), role: typed.role as MemberRole };
  const message = 'There is a member of this name. Make a new link in the member’s row, or choose another name.';
  return (await makeLink(call, person, false)) ?? refuse({ ...typed, errors: [{ field: 'name', message }] });
}

export async function askForLink(call: PortalCall): Promise<PortalAnswer> {
  const member = await requireMember(call);
  return answerPage(<NewLinkPage frame={call.frame} member={member} nonce={nonceFor(call)} />);
}

/** Makes a link for a member who enters again. */
export async function makeNewLink(call: PortalCall): Promise<PortalAnswer> {
  const { frame, form } = call;
  const member = await requireMember(call);
  const id = readNonce(placeOf(call), form.get(NONCE_FIELD));
  if (id === undefined) return answerPage(<NewLinkPage frame={frame} member={member} nonce={nonceFor(call)} />, 422);
  const { name, role } = member;
  // A member who was removed meanwhile gets no link.
  return (await makeLink(call, { id, name, role }, true)) ?? answerRedirect(hrefOf(frame, ORGANISATION_PATH));
}

/** Finds the member of the address. @throws PortalNotFound for another's */
export async function requireMember(call: PortalCall) {
  const member = await findMember(ownScopeOf(call), call.params.memberId ?? '');
  if (member === undefined) throw new PortalNotFound();
  return member;
}

/** Makes the link of a form and shows it; undefined where the person is a member, or should be and is not. */
async function makeLink(
  call: PortalCall,
  { id, name, role }: { id: string; name: string; role: MemberRole },
  isForMember: boolean,
): Promise<PortalAnswer | undefined> {
  const { frame, store } = call;
  const { organisationId } = ownScopeOf(call);
  const token = mintToken();
  const expiresAtMs = store.clock.now() + LINK_TTL_MS;
  const link = { id, organisationId, name, role, hash: hashToken(token), expiresAtMs };
  const isMade = await insertOwnLink(store, link, isForMember);
  if (isMade === 'taken') return undefined;
  if (!isMade) return answerRepeated(call);
  return answerPage(
    <SecretPage
      frame={frame}
      title="Link created"
      above={ABOVE}
      what="link"
      secret={`${originOf(call)}${ENTER_PATH}#${token}`}
    >
      <p>
        Send it to{' '}
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        yourself. It opens one session, once, until <Time ms={expiresAtMs} />. Whoever has it can use it: revoke it
        under Organisation if it went astray.
      </p>
    </SecretPage>,
  );
}

function answerRepeated({ frame }: PortalCall): PortalAnswer {
  return answerPage(
    <RepeatedPage frame={frame} title="Link created before" above={ABOVE} what="link">
      If nobody has copied it, revoke it under <Link to={ORGANISATION_PATH}>Organisation</Link> and make another.
    </RepeatedPage>,
    409,
  );
}

function readInvitation(form: URLSearchParams): TypedInvitation {
  const [name, role] = [form.get('name') ?? '', form.get('role') ?? 'member'];
  const errors = errorsOfName(name, 'A person’s');
  if (!INVITED_ROLES.some(({ value }) => value === role))
    errors.push({ field: 'role', message: 'Choose Member or Owner' });
  return { name, role, errors };
}

function placeOf(call: PortalCall) {
  return { token: call.session.token, organisationId: ownScopeOf(call).organisationId, prefix: 'inv' as const };
}

function nonceFor(call: PortalCall): string {
  return mintNonce(placeOf(call), call.store.clock.now());
}
