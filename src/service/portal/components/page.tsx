import type { ComponentChildren } from 'preact';
import { LIVE_PATH } from '../live/path.js';
import type { StyleName } from '../style/style.js';
import { Document } from './document.js';
import { type Frame, FrameContext, hrefOf } from './frame.js';
import { Link } from './link.js';
import { NavIcon } from './nav-icon.js';
import { NAVIGATION } from './navigation.js';
import { PostForm } from './post-form.js';

interface PageProps {
  frame: Frame;
  /** The one h1. */
  title: string;
  /** Pages above it, for the way back. */
  above?: { title: string; path: string };
  /** Buttons and links beside the h1. */
  actions?: ComponentChildren;
  modules?: readonly string[];
  styles?: readonly StyleName[];
  refreshS?: number;
  children: ComponentChildren;
}

/** A page with the navigation and the name of whom it is for. For a page that renews itself, its content alone. */
export function Page({ frame, title, above, actions, children, ...rest }: PageProps) {
  const content = (
    <Content frame={frame} title={title} actions={actions} {...(above === undefined ? {} : { above })}>
      {children}
    </Content>
  );
  return (
    <FrameContext.Provider value={frame}>
      {frame.isFragment === true ? (
        content
      ) : (
        <Document title={title} pathOfAsset={frame.pathOfAsset} {...rest}>
          <a class="skip" href="#main">
            Skip to content
          </a>
          <Side frame={frame} />
          {content}
          <p class="hidden" role="status" id="status" />
        </Document>
      )}
    </FrameContext.Provider>
  );
}

function Side({ frame }: { frame: Frame }) {
  return (
    <header class="side">
      <div class="brand">
        <span class="mark" aria-hidden="true" />
        <span class="whose">{frame.organisation?.name ?? 'OCR service'}</span>
      </div>
      <button class="button menu" type="button" popovertarget="menu">
        Menu
      </button>
      <div class="menu-content" id="menu" popover="auto">
        <nav aria-label="Pages">
          <ul>
            {NAVIGATION.filter(({ roles }) => roles.includes(frame.role)).map(
              ({ title: name, path, isOfAll = false }) => (
                <li key={path}>
                  <Link to={path} leaves={isOfAll} isCurrent={frame.path === path || frame.path.startsWith(`${path}/`)}>
                    <NavIcon path={path} />
                    {name}
                  </Link>
                </li>
              ),
            )}
          </ul>
        </nav>
        <div class="person">
          <p>
            <bdi>{frame.name}</bdi>
            {frame.name === frame.role ? null : <span class="soft">{frame.role}</span>}
          </p>
          <PostForm to="/leave">
            <button class="button plain" type="submit">
              Log out
            </button>
          </PostForm>
        </div>
      </div>
    </header>
  );
}

function Content({ frame, title, above, actions, children }: PageProps) {
  const { live } = frame;
  return (
    <main
      id="main"
      tabindex={-1}
      {...(live === undefined
        ? {}
        : {
            'data-live': live.subjects.join(' '),
            'data-live-seen': live.seen,
            'data-live-address': hrefOf(frame, LIVE_PATH),
          })}
    >
      <WhoseBanner frame={frame} />
      <div class="head">
        <div>
          {above === undefined ? null : (
            <p class="above">
              <Link to={above.path}>{above.title}</Link>
            </p>
          )}
          <h1>{title}</h1>
        </div>
        {actions === undefined ? null : <div class="actions">{actions}</div>}
      </div>
      {children}
      <footer class="foot" data-keep="">
        <p>
          <span data-zone-note="">Times are in UTC.</span>{' '}
          <button class="button plain" type="button" hidden data-zone-switch="">
            Show in UTC
          </button>
          <span class="live-state" data-live-state="" />
        </p>
      </footer>
    </main>
  );
}

/** Says for whom somebody acts who may act for everybody. */
function WhoseBanner({ frame: { role, organisation } }: { frame: Frame }) {
  if ((role !== 'operator' && role !== 'support') || organisation === undefined) return null;
  return (
    <p class="banner">
      {role === 'operator' ? 'You act for ' : 'You look at '}
      <Link to="/overview">
        <strong>
          <bdi>{organisation.name}</bdi>
        </strong>
      </Link>{' '}
      <code>{organisation.id}</code>{' '}
      <Link to="/operator" leaves>
        All organisations
      </Link>
    </p>
  );
}
