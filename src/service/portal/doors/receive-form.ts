import { FORM_TOKEN_FIELD } from '../../../contract/portal.js';
import type { Exchange } from '../../http/answer-budget.js';
import { receiveUpload, type Upload, type UploadForm } from '../../http/receive-upload.js';
import { allowBody } from '../../http/send-answer.js';
import { describeUpload } from '../../intake/accept-document.js';
import type { ServiceComponents } from '../../service-components.js';
import { isFormToken } from './form-tokens.js';

/** Thrown for a form without the token of its session, before anything of it is stored. */
export class ForgedFormError extends Error {
  override readonly name = 'ForgedFormError';
}

/**
 * Receives a form that has a file. `onFields` gets the fields once the form's token is known to be the session's, before the
 * file is stored. @throws ForgedFormError; what `onFields` and receiveUpload throw
 */
export async function receiveForm(
  components: ServiceComponents,
  { request, reply }: Exchange,
  sessionToken: string,
  onFields: UploadForm['onFields'],
): Promise<Upload> {
  allowBody(request.raw, reply.raw);
  return await receiveUpload(request.raw, {
    ...describeUpload(components, request.id),
    form: {
      onFields: async (fields, fileName) => {
        if (!isFormToken(sessionToken, fields.get(FORM_TOKEN_FIELD))) throw new ForgedFormError();
        await onFields(fields, fileName);
      },
    },
  });
}
