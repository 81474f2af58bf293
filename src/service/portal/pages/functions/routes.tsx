import { findFunction } from '../../../../functions/catalog.js';
import { nameLanguages } from '../../../../functions/name-languages.js';
import { findPlanOf, type Plan } from '../../../../store/plans.js';
import { answerPage, type PortalAnswer, PortalNotFound } from '../../answers.js';
import { originOf, type PortalCall, type PortalRoute } from '../../portal-call.js';
import { EVERYBODY } from '../../roles.js';
import { findFunctions } from './find-functions.js';
import { FunctionPage } from './function-page.js';
import { ListPage } from './list-page.js';

const MAX_WORD_LENGTH = 200;

export const FUNCTION_ROUTES: readonly PortalRoute[] = [
  { method: 'GET', path: '/functions', roles: EVERYBODY, answer: answerList },
  { method: 'GET', path: '/functions/:functionId', roles: EVERYBODY, answer: answerFunction },
];

async function answerList(call: PortalCall): Promise<PortalAnswer> {
  const word = (call.url.searchParams.get('word') ?? '').trim().slice(0, MAX_WORD_LENGTH);
  const plan = await planOf(call);
  return answerPage(<ListPage frame={call.frame} word={word} functions={findFunctions(word)} plan={plan} />);
}

async function answerFunction(call: PortalCall): Promise<PortalAnswer> {
  const { components, frame, params } = call;
  const found = findFunction(params.functionId ?? '');
  if (found === undefined) throw new PortalNotFound();
  const argsSchema = nameLanguages(found.argsSchema, components.recognition.listLanguages());
  const { maxFileBytes } = components.config;
  return answerPage(
    <FunctionPage
      frame={frame}
      entry={{ ...found, argsSchema }}
      plan={await planOf(call)}
      maxFileBytes={maxFileBytes}
      origin={originOf(call)}
    />,
  );
}

/** Returns the plan that the page is about; undefined for support and operators who have chosen no organisation. */
async function planOf({ store, organisationId }: PortalCall): Promise<Plan | undefined> {
  return organisationId === undefined ? undefined : await findPlanOf(store, organisationId);
}
