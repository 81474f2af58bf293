import { OcrError } from '../../contract/ocr-error.js';
import { ENTER_PATH } from '../../contract/portal.js';
import { formatTime } from '../../contract/time.js';
import { isLastOwner, readMemberCalled } from '../../store/members.js';
import { insertLink } from '../../store/portal-links.js';
import type { PortalRole } from '../../store/portal-sessions.js';
import type { Store } from '../../store/store.js';
import type { ServiceConfig } from '../config/service-config.js';
import { findHolder } from '../data-directory/data-directory.js';
import { isLoopbackName } from '../http/is-local-caller.js';
import { hashToken, mintToken } from '../secrets/tokens.js';
import { checkName } from './check-name.js';
import type { OpenedAdministration } from './open.js';
import { requireOrganisation } from './organisations.js';

const LINK_TTL_MS = 600_000;

/** A link that lets one browser into the portal, once. */
export interface PortalLink {
  url: string;
  expiresAt: string;
}

export interface LinkRequest {
  /** Id or name of the organisation; needed for owners and members alone. */
  orgId?: string | undefined;
  role: PortalRole;
  /** The person who enters, for the audit log. */
  name?: string | undefined;
}

/**
 * Makes a link for ten minutes.
 * @throws OcrError USAGE, NOT_FOUND; LOCAL_UNAVAILABLE, or CONFIG_INVALID with a shared database, where nobody knows the service's
 * address or the process of the directory has no portal
 */
export async function createPortalLink(
  { store, config, isDirectoryNamed }: Pick<OpenedAdministration, 'store' | 'config' | 'isDirectoryNamed'>,
  { orgId, role, name }: LinkRequest,
): Promise<PortalLink> {
  const who = checkName(name ?? role, "A person's");
  const organisationId = await findOrganisationOf(store, role, orgId);
  if (organisationId !== null && role === 'member') await refuseLastOwner(store, organisationId, who);
  const origin = await findOrigin(config, isDirectoryNamed);
  const token = mintToken();
  const expiresAtMs = store.clock.now() + LINK_TTL_MS;
  await insertLink(store, { hash: hashToken(token), organisationId, role, name: who, expiresAtMs });
  return { url: `${origin}${ENTER_PATH}#${token}`, expiresAt: formatTime(expiresAtMs) };
}

async function findOrganisationOf(store: Store, role: PortalRole, orgId: string | undefined): Promise<string | null> {
  if (role === 'support' || role === 'operator') {
    if (orgId === undefined) return null;
    throw new OcrError('USAGE', `--org and --role ${role} cannot be given together`, {
      hint: `The role ${role} sees every organisation: ocr admin portal --role ${role}`,
    });
  }
  if (orgId !== undefined) return (await requireOrganisation(store, orgId)).id;
  throw new OcrError('USAGE', `An organisation is missing: --org for the role ${role}`, {
    hint: 'ocr admin orgs list, or for all of them: ocr admin portal --role operator',
  });
}

/** An organisation keeps an owner, so that the link of a member could not be used. @throws OcrError USAGE */
async function refuseLastOwner(store: Store, organisationId: string, name: string): Promise<void> {
  const member = await store.read(readMemberCalled(organisationId, name));
  if (member === undefined || !(await store.read(isLastOwner(organisationId, member)))) return;
  throw new OcrError('USAGE', `${name} is the last owner of ${organisationId}, and cannot enter as a member`, {
    hint: `Let another owner in first: ocr admin portal --org ${organisationId} --name <who>`,
  });
}

/**
 * Returns the origin at which a browser reaches the portal: the one that is set, else that of the service on this machine. A
 * service of the default directory may have nothing to do with a shared database.
 */
async function findOrigin(config: ServiceConfig, isDirectoryNamed: boolean): Promise<string> {
  const { publicUrl, dataDir, databaseUrl, host, port } = config;
  if (publicUrl !== undefined) return publicUrl;
  const isShared = databaseUrl !== undefined;
  const running = isShared && !isDirectoryNamed ? undefined : await findHolder(dataDir);
  if (running?.publicUrl !== undefined) return running.publicUrl;
  if (running?.isWorker)
    throw new OcrError('CONFIG_INVALID', `The process of ${dataDir} only reads documents, and has no portal`, {
      hint: 'Name the directory of an api process that runs here: --data-dir <dir>; or set the address of the api processes: OCR_SERVE_PUBLIC_URL=https://<address>',
    });
  if (running !== undefined) return running.url;
  if (isShared)
    throw new OcrError('CONFIG_INVALID', 'The database does not tell the address of the portal', {
      hint: 'Set OCR_SERVE_PUBLIC_URL=https://<address>, here and for the api processes; or name the directory of one that runs here: --data-dir <dir>',
    });
  const name = host.includes(':') ? `[${host}]` : host;
  if (port !== 0 && isLoopbackName(name)) return `http://${name}:${port}`;
  throw new OcrError('LOCAL_UNAVAILABLE', 'Nobody knows the address of the portal', {
    hint: 'Start the service: ocr serve, or name the address in its setting publicUrl (OCR_SERVE_PUBLIC_URL)',
  });
}
