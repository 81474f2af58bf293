import type { Context } from '../../../context.js';
import type { ServiceLocation } from '../../../contract/command-words.js';
import { revokeKey } from '../../../service/administration/keys.js';
import { withAdministration } from '../../../service/administration/open.js';

export interface RevokeOptions extends ServiceLocation {
  idOrKey: string;
}

/** Revokes a key for good. @throws OcrError NOT_FOUND */
export async function revoke({ env, output }: Context, options: RevokeOptions): Promise<void> {
  const { revoked, seenWithinMs } = await withAdministration(options, env, async ({ store, config }) => ({
    revoked: await revokeKey(store, options.idOrKey),
    seenWithinMs: config.keyCacheMs,
  }));
  if (output.isJson) return await output.json(revoked);
  await output.table(['', '', ''], [[revoked.keyId, revoked.status, revoked.revokedAt ?? '']]);
  output.note(`A running service refuses it within ${seenWithinMs / 1000} s.`);
}
