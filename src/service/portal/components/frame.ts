import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { PORTAL_PATH } from '../../../contract/portal.js';
import type { PortalRole } from '../../../store/portal-sessions.js';

/** Facts of a call that every page shows or puts into its links and forms. */
export interface Frame {
  role: PortalRole;
  /** Name of the person. */
  name: string;
  /** The organisation that the page is about; undefined: all. */
  organisation: { id: string; name: string } | undefined;
  /** True when the organisation was chosen in the address, which links and forms then go on naming. */
  isChosen: boolean;
  formToken: string;
  /** Path of the page below /portal. */
  path: string;
  pathOfAsset(name: string): string;
  /** Subjects whose changes the page follows, and their marks from before it was made. */
  live?: { subjects: readonly string[]; seen: string };
  /** True for a page that renews itself: its content alone is rendered. */
  isFragment?: boolean;
}

export const FrameContext = createContext<Frame | undefined>(undefined);

/** Returns the frame around a component of a page. */
export function useFrame(): Frame {
  const frame = useContext(FrameContext);
  if (frame === undefined) throw new Error('A component stands outside of its page');
  return frame;
}

type Query = Readonly<Record<string, string | undefined>>;

/** Returns the address of a path below /portal, about the same organisation as the page. */
export function hrefOf({ isChosen, organisation }: Frame, path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  if (isChosen && organisation !== undefined) params.set('organisation', organisation.id);
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== '') params.set(name, value);
  const text = params.toString();
  return `${PORTAL_PATH}${path}${text === '' ? '' : `?${text}`}`;
}
