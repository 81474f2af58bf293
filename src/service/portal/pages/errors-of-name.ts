import { OcrError } from '../../../contract/ocr-error.js';
import { checkName } from '../../administration/check-name.js';
import type { FieldError } from '../components/fields.js';

/** Lists what is wrong with a name that was typed into the field `name`; the message begins with `whose`. */
export function errorsOfName(name: string, whose: string): FieldError[] {
  try {
    checkName(name, whose);
    return [];
  } catch (error) {
    if (error instanceof OcrError) return [{ field: 'name', message: error.message }];
    throw error;
  }
}
