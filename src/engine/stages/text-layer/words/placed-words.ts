import type { RunStyle } from '../fonts/run-style.js';
import type { PageText } from './page-text.js';
import type { RawWord } from './raw-word.js';

/** Spaces that are looked at to see whether a page draws its spaces, and how many more of them are drawn then. */
const MAX_SPACES_READ = 100;
const MIN_DRAWN_RATIO = 10;

/** Finds the words that a PDF moves on to, with no space in between, on a page that draws its spaces. */
export class PlacedWords {
  private readonly words: RawWord[] = [];
  /** Number of spaces within a text object that the PDF draws, and of those that PDFium adds for a gap. */
  private readonly spaces = { drawn: 0, added: 0 };

  constructor(private readonly text: PageText) {}

  /** True when the glyph at `index` begins a text object, and only PDFium has put the space before it. */
  isMovedTo(index: number, space: number, style: RunStyle, lastStyle: RunStyle | undefined): boolean {
    const { text, spaces } = this;
    // Each text object has a style of its own.
    const isOfObject = style === lastStyle;
    if (isOfObject && spaces.drawn + spaces.added > MAX_SPACES_READ) return false;
    const { x0, x1 } = text.glyphAt(space);
    // Read last, since all glyphs share one object.
    text.glyphAt(index);
    const isAdded = x0 === x1;
    if (isOfObject) spaces[isAdded ? 'added' : 'drawn']++;
    return isAdded && !isOfObject;
  }

  add(word: RawWord): void {
    this.words.push(word);
  }

  /** Marks them, once all spaces of the page have been seen. */
  mark(): void {
    const { drawn, added } = this.spaces;
    if (drawn >= added * MIN_DRAWN_RATIO) for (const word of this.words) word.placed = true;
  }
}
