import { MAX_RENDERED_PAGES } from '../../../documents/render-page.js';
import type { Frame } from '../../components/frame.js';
import { hrefOf, useFrame } from '../../components/frame.js';
import { Link } from '../../components/link.js';
import type { ShownLine, ShownPage } from './result-views.js';

/** Sides of the drawing over a picture. Boxes are given from 0 to 1. */
const SIDE = 1_000;

interface PictureProps {
  /** Path of the result. */
  path: string;
  query: Readonly<Record<string, string | undefined>>;
  /** The pages that can be chosen. */
  pages: readonly number[];
  page: number;
  shown: ShownPage | undefined;
  /** False once the pictures are no longer kept, and in another process of a fleet. */
  isKept: boolean;
  hasBoxes: boolean;
}

/** The page of the document beside its text, with a box for each line that the result places. */
export function PagePicture({ path, query, pages, page, shown, isKept, hasBoxes }: PictureProps) {
  const frame = useFrame();
  const rotation = shown?.rotation ?? 0;
  const { width, height } = shown ?? {};
  return (
    <section class="panel sheet" aria-label="Document">
      <PageLinks {...{ path, query, pages, page }} />
      {page > MAX_RENDERED_PAGES ? (
        <p class="quiet">{`Only the first ${MAX_RENDERED_PAGES} pages have pictures.`}</p>
      ) : isKept ? (
        <div class="paper">
          <img
            src={pictureHrefOf(frame, path, page, rotation)}
            alt={`Page ${page} of the document`}
            {...(width === undefined || height === undefined
              ? {}
              : { width: Math.round(width), height: Math.round(height) })}
          />
          {hasBoxes && shown !== undefined ? <Boxes lines={shown.lines} /> : null}
        </div>
      ) : (
        <p class="quiet">
          The picture is kept for 15 minutes by the process that made the call; run the document again to see it.
        </p>
      )}
    </section>
  );
}

/** Returns the address of a picture. */
function pictureHrefOf(frame: Frame, path: string, page: number, rotation: number): string {
  return hrefOf(frame, `${path}/pages/${page}`, rotation === 0 ? {} : { rotation: String(rotation) });
}

function PageLinks({ path, query, pages, page }: Pick<PictureProps, 'path' | 'query' | 'pages' | 'page'>) {
  const index = pages.indexOf(page);
  const isWhole = pages.every((one, before) => one === before + 1);
  const [before, after] = [pages[index - 1], pages[index + 1]];
  const linkTo = (number: number | undefined, label: string, sign: string) =>
    number === undefined ? (
      <span class="button small" aria-hidden="true">
        {sign}
      </span>
    ) : (
      <Link class="button small" to={path} query={{ ...query, page: String(number) }} label={label}>
        {sign}
      </Link>
    );
  return (
    <nav class="page-links" aria-label="Pages of the document">
      <span>
        {`Page ${page}`}
        {pages.length > 1 ? (
          <span class="soft">{isWhole ? ` of ${pages.length}` : `, ${index + 1} of ${pages.length} read`}</span>
        ) : null}
      </span>
      {pages.length > 1 ? (
        <span class="row-actions">
          {linkTo(before, 'Page before', '←')}
          {linkTo(after, 'Next page', '→')}
        </span>
      ) : null}
    </nav>
  );
}

/** A box for each line. It leads to its line, as the line leads to it; a script marks both where one is pointed at. */
function Boxes({ lines }: { lines: readonly ShownLine[] }) {
  return (
    <svg viewBox={`0 0 ${SIDE} ${SIDE}`} preserveAspectRatio="none" class="marks">
      <title>Lines of the page</title>
      {lines.map(({ text, box: [x0 = 0, y0 = 0, x1 = 0, y1 = 0] }, index) => (
        <a key={index} id={`box-${index}`} href={`#line-${index}`} data-mark={index} tabindex={-1} aria-label={text}>
          <rect
            x={round(x0)}
            y={round(y0)}
            width={Math.max(1, round(x1 - x0))}
            height={Math.max(1, round(y1 - y0))}
            rx={2}
          />
        </a>
      ))}
    </svg>
  );
}

function round(share: number): number {
  return Math.round(share * SIDE * 10) / 10;
}
