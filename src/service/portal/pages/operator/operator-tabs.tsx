import { Link } from '../../components/link.js';
import { OPERATOR_PATH, PLANS_PATH, PROCESSES_PATH, STAFF_AUDIT_PATH } from './paths.js';

const TABS = [
  { path: OPERATOR_PATH, label: 'Organisations' },
  { path: PLANS_PATH, label: 'Plans' },
  { path: PROCESSES_PATH, label: 'Processes' },
  { path: STAFF_AUDIT_PATH, label: 'Audit log' },
] as const;

/** The parts of the operator's pages. */
export function OperatorTabs({ current }: { current: (typeof TABS)[number]['path'] }) {
  return (
    <nav class="choices tabs" aria-label="Parts of Operator">
      {TABS.map(({ path, label }) => (
        <Link key={path} to={path} isCurrent={path === current}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
