import { expect, test } from 'vitest';
import { readPastedId } from '../../../src/cli/pasted-ids.js';

const ID = 'req_01ARZ3NDEKTSV4RRFFQ69G5FAV';

test.each([
  ID,
  ` ${ID}\n`,
  `${ID}.`,
  `${ID},`,
  `(${ID})`,
  `[${ID}],`,
  `<${ID}>`,
  `"${ID}",`,
  `\\"${ID}\\"`,
  `„${ID}“`,
  `«${ID}».`,
  `*${ID}*`,
  `\`${ID}\`;`,
  `\u200b${ID}\u00a0`,
  `requestId=${ID}`,
  `requestId:${ID}!`,
  `"requestId": "${ID}", "retryable": false`,
  `job_id=${ID}`,
  `"JOB_ID": "${ID}"`,
  `Your reference is ${ID} (please quote ${ID}).`,
  `https://ocr.example/v1/ocr/requests/${ID}?x=1`,
])('%j → its id', (text) => {
  expect(readPastedId(text)).toBe(ID);
});

test.each([
  // Other servers give ids of other forms.
  ['job_a-b_', 'job_a-b_'],
  ['job_NDI=', 'job_NDI='],
  ['"_Zm9v-",', '_Zm9v-'],
  ['-Zm9v', '-Zm9v'],
  ['job_id-7', 'job_id-7'],
  ['job_id', 'job_id'],
  ['[dlv_01ARZ3NDEKTSV4RRFFQ69G5FAV]', 'dlv_01ARZ3NDEKTSV4RRFFQ69G5FAV'],
  ['job_2026.11~a:b@c', 'job_2026.11~a:b@c'],
  ['"42",', '42'],
  ['(6f1c2e0a-0b5e-4d0a-9d5c-1f0a2b3c4d5e)', '6f1c2e0a-0b5e-4d0a-9d5c-1f0a2b3c4d5e'],
  ['ocr_job_42', 'ocr_job_42'],
  // With two ids, nobody knows the right one.
  ['req_a req_b.', 'req_a req_b'],
  ['REQ_A', 'REQ_A'],
  ['...', '...'],
])('%j → %j', (text, id) => {
  expect(readPastedId(text)).toBe(id);
});
