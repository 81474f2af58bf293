import type { OcrFunction } from '../../../../functions/function.js';
import type { Plan } from '../../../../store/plans.js';
import { Facts } from '../../components/facts.js';
import { pageCapOf } from './in-plan.js';

const MIB = 1024 * 1024;

/** The bounds of a document that a function takes. */
export function FunctionLimits(props: { entry: OcrFunction; plan: Plan | undefined; maxFileBytes: number }) {
  const { entry, plan, maxFileBytes } = props;
  const cap = pageCapOf(entry, plan);
  return (
    <Facts
      facts={[
        ['Short name', entry.alias === undefined ? undefined : <code>{entry.alias}</code>],
        ['Pages', `${cap.toLocaleString('en')} a document${cap < entry.pageCap ? ', by the plan' : ''}`],
        ['File', `${(maxFileBytes / MIB).toLocaleString('en')} MiB`],
        ['Plan', plan === undefined ? undefined : <bdi>{plan.name}</bdi>],
        ['Types', <Types key="types" types={entry.acceptedTypes} />],
      ]}
    />
  );
}

function Types({ types }: { types: readonly string[] }) {
  return (
    <ul>
      {types.map((type) => (
        <li key={type}>{type}</li>
      ))}
    </ul>
  );
}
