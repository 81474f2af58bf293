import { describe, expect, it } from 'vitest';
import { renderText } from '../../../../../../src/engine/stages/render/text.js';
import type { RawWord } from '../../../../../../src/engine/stages/text-layer/words/raw-word.js';
import { documentOf, readPages, setLine, setLines } from '../../../set-words.js';

const BODY = ['The tide comes in twice a day and', 'takes with it what the sand has', 'written in the hours between.'];
const LATER = ['Nobody has read all of it, and', 'nobody will, since the sea is', 'quicker than any reader.'];
const body = (lines: string[]) => setLines(lines, 60, 120, 12);
/** Fills a page to its foot, so that its last line stands where a footer could. */
const full = (name: string) =>
  Array.from({ length: 54 }, (_, index) => setLine(`${name} line ${index} of the page`, 60, 120 + index * 12)).flat();

/** Base line of a footer on a sheet that is larger than the program took it for. */
const FOOT = 650;

const textOf = (pages: Parameters<typeof readPages>[0], headersFooters = false) =>
  renderText(documentOf(readPages(pages)), { headersFooters });

describe('headers, footers and page numbers', () => {
  const pages = [1, 2, 3].map((number) => [
    ...setLine('The Sand Reader', 60, 40),
    ...body(number === 2 ? LATER : BODY),
    ...setLine(String(number + 11), 300, 770),
  ]);

  it('headers, footers and page numbers → left out, or kept by an option', () => {
    expect(textOf(pages)).toBe([BODY, LATER, BODY].map((lines) => lines.join('\n')).join('\n\n'));
    const [first] = textOf(pages, true).split('\n\nThe Sand Reader');
    expect(first).toBe(`The Sand Reader\n\n${BODY.join('\n')}\n\n12`);
  });

  it('headers, footers and page numbers → blocks of the page all the same', () => {
    const [page] = readPages(pages);
    expect(page?.blocks.map(({ kind }) => kind)).toEqual(['header', 'paragraph', 'footer']);
  });

  it('numbered lines far apart, the first of a page and the second of the next → text', () => {
    const things = ['lamp', 'gate', 'barge', 'ledger', 'horse', 'clerk', 'well', 'rope'];
    const pages = [0, 1, 2].map((page) =>
      things.flatMap((_, index) => [
        ...setLine(`${index + 1}`, 60, 40 + index * 36 + (index % 2) * 2),
        ...setLine(
          `Did the witness see the ${things[(index + page * 3) % 8]}?`,
          100,
          40 + index * 36 + (index % 2) * 2,
        ),
      ]),
    );
    expect(textOf(pages).match(/witness/g)).toHaveLength(24);
  });

  const texts = [BODY, LATER, BODY, LATER, BODY].map((lines, index) => [
    ...body(lines),
    ...setLines(lines, 60, 300 + index * 20),
  ]);

  it('a sign in larger type within running heads → running heads', () => {
    const signed = texts.map((lines, index) => [
      ...setLine(`${index + 4}`, 60, 98),
      ...setLine('·', 110, 98, { size: 18 }),
      ...setLine(`A chapter on the ${['reader', 'writer', 'swimmer', 'diver', 'walker'][index]}`, 160, 98),
      ...lines,
    ]);
    expect(textOf(signed)).not.toContain('chapter');
  });

  it('page numbers in large type → left out', () => {
    const large = texts.map((lines, index) => [
      ...lines,
      ...setLines(LATER, 60, 733, 12),
      ...setLine(`${index + 4}`, 300, 772, { size: 16 }),
    ]);
    expect(textOf(large)).not.toMatch(/\d/);
  });

  it('an imprint below the number of the first page → a footer; a note below a raised number → text', () => {
    const numbered = texts.map((lines, index) => [...lines, ...setLine(`${index + 4}`, 300, 720)]);
    const imprint = setLine('Proceedings of the third meeting of readers', 200, 750, { size: 9 });
    expect(textOf([[...(numbered[0] ?? []), ...imprint], ...numbered.slice(1)])).not.toContain('Proceedings');
    const noted = texts.map((lines, index) => [
      ...lines,
      ...setLine(`${index + 1}`, 60, 746, { size: 5 }),
      ...setLine(`The sea said ${['so', 'no', 'much', 'little', 'it'][index]} in a letter to the reader`, 66, 750, {
        size: 8,
      }),
    ]);
    expect(textOf(noted)).toContain('said much in a letter');
  });

  it('a numbered foot at another height on the first page → a footer', () => {
    const feet = texts.map((lines, index) => [
      ...lines,
      ...setLine('Sander', 60, index === 0 ? 740 : 760),
      ...setLine(`[Page ${index + 1}]`, 400, index === 0 ? 740 : 760),
    ]);
    expect(textOf(feet)).not.toContain('Sander');
  });

  it('the stamp of a court on a page alone → a running head', () => {
    const stamp = setLine('Case: 1:18-cv-05587 Document #: 1000 Filed: 06/01/21 Page 8 of 18', 60, 24);
    expect(textOf([[...stamp, ...body(BODY)]])).toBe(BODY.join('\n'));
  });

  it('a page number close below the columns, the imprint of the first page below it → left out', () => {
    const columns = Array.from({ length: 50 }, (_, index) => [
      ...setLine('The tide comes in twice', 60, 120 + index * 12),
      ...setLine('a day, and goes again', 320, 120 + index * 12),
    ]).flat();
    const imprint = setLine('The Harbour Press of Sundvik by the bay', 180, 737, { size: 9 });
    const papers = [696, 697, 698].map((number, index) => [
      ...columns,
      ...setLine(String(number), 290, 722),
      ...(index === 0 ? imprint : []),
    ]);
    const text = textOf(papers);
    expect(text).not.toContain('696');
    expect(text).not.toContain('Harbour');
  });

  it('a section for each page, by its sign and number → text', () => {
    const sections = [1, 2, 3].map((number) => [
      ...setLine(`§ ${number}`, 60, 60),
      ...body(number === 2 ? LATER : BODY),
    ]);
    expect(textOf(sections)).toContain('§ 2');
  });

  it('a number that counts with the pages, beside any text → a running head', () => {
    const numbered = ['Shells', 'Weed', 'Driftwood'].map((chapter, index) => [
      ...setLine(`${index + 5} Chapter on ${chapter}`, 60, 40),
      ...body(BODY),
    ]);
    expect(textOf(numbered)).not.toContain('Chapter');
  });

  it('a chapter or appendix number before the page number → a running head', () => {
    for (const labels of [
      ['5-i', '5-1', '5-2'],
      ['A-1', 'A-2', 'A-3'],
      ['IV–7', 'IV–8', 'IV–9'],
    ]) {
      const labelled = labels.map((label, index) => [
        ...body([BODY, LATER][index % 2] ?? []),
        ...setLine(label, 300, 770),
      ]);
      expect(textOf(labelled)).not.toContain(labels[1]);
    }
  });

  it('a number alone above a high foot → a page number', () => {
    expect(textOf([[...body(BODY), ...setLine('4', 298, 670)]])).toBe(BODY.join('\n'));
    expect(textOf([[...body(BODY), ...setLine('4', 298, 560)]])).toContain('4');
  });

  it('numbers high above the foot, on right-hand pages alone → page numbers', () => {
    const chapters = Array.from({ length: 11 }, (_, index) =>
      index % 2 === 0
        ? [...body(index % 4 === 0 ? LATER : BODY), ...setLine(String(index + 1), 240, FOOT)]
        : setLine('The Sand Reader', 60, 40),
    );
    expect(textOf(chapters)).not.toMatch(/\d/);
  });

  it('numbers that count with the pages below their texts, at other heights, small Roman and arabic → page numbers', () => {
    const pages = ['i', 'ii', 'iii', '1', '2', '3'].map((number, index) => [
      ...body([BODY, LATER][index % 2] ?? []),
      ...setLine(number, 300, 200 + ((index * 7) % 5) * 60),
    ]);
    expect(textOf(pages)).not.toMatch(/^(?:\d|i+)$/m);
    const ungrouped = pages.map((page, index) => (index > 1 ? body([BODY, LATER][index % 2] ?? []) : page));
    expect(textOf(ungrouped)).toMatch(/^i+$/m);
  });

  it('heads of small pages on large sheets → headers', () => {
    const pages = [LATER, BODY, LATER].map((lines, index) => [
      ...(index % 2 === 0
        ? setLine(`${index + 1} SAND v. SEA`, 150, 125)
        : setLine(`Cite as: 7 Shore 12 ${index + 1}`, 180, 125)),
      ...setLine('Opinion of the Tide', 220, 148),
      ...setLines(
        [...lines, ...Array.from({ length: 22 }, (_, line) => `Line ${line} of page ${index}, in short`)],
        150,
        180,
        14,
      ),
    ]);
    expect(textOf(pages)).not.toMatch(/Opinion|SAND/);
    expect(textOf(pages.slice(0, 2))).toContain('Opinion');
  });

  it('a number apart at the edge of a single page → a page number', () => {
    const page = [...setLine('Of Sand and Readers', 60, 40, { size: 8 }), ...setLine('17', 500, 40, { size: 8 })];
    expect(textOf([[...page, ...body(BODY)]])).toBe(BODY.join('\n'));
  });

  it('"page 2 of 7" on a single page with a second line below → a footer', () => {
    const head = [
      ...setLine('Reader et al. Sand Science 2011', 60, 40, { size: 8 }),
      ...setLine('Page 2 of 7', 480, 40, { size: 8 }),
      ...setLine('http://www.sand.example/11/124', 60, 49, { size: 8 }),
    ];
    expect(textOf([[...head, ...body(BODY)]])).toBe(BODY.join('\n'));
  });

  describe('on a single full page of text', () => {
    const lines = Array.from({ length: 44 }, (_, index) => `Line ${index} of what the sea has to say today`);
    const withFoot = (...foot: string[]) =>
      textOf([[...body(lines), ...foot.flatMap((text, index) => setLine(text, 60, 770 + index * 9, { size: 8 }))]]);
    const withHead = (text: string, y = 38) => textOf([[...setLine(text, 60, y), ...body(lines)]]);

    it('small print far off at the edge, any text → a running head', () => {
      expect(withFoot('Digitised by the Library of Sand')).toBe(lines.join('\n'));
      expect(withFoot('Sand and Sea, spring volume', 'Library of Sand')).toBe(lines.join('\n'));
    });

    it("type of the text's size at the top, unlike a title → a running head", () => {
      expect(withHead('Reader et al.: Of sand')).toBe(lines.join('\n'));
      expect(withHead('OF SAND', 60)).toContain('OF SAND');
    });

    it('the same line lower, larger or close to the text → a title', () => {
      expect(withHead('Reader and Sons', 70)).toContain('Reader and Sons');
      const large = setLine('Reader and Sons', 60, 38, { size: 16 });
      expect(textOf([[...large, ...body(lines)]])).toContain('Reader and Sons');
      const close = setLine('Reader and Sons', 60, 110);
      expect(textOf([[...close, ...body(lines)]])).toContain('Reader and Sons');
    });

    it('notes → no footer', () => {
      expect(withFoot('* Report of the readers')).toContain('Report');
      expect(withFoot('The sea is quicker than any reader.')).toContain('quicker');
    });

    it('a number alone, though larger than the text → a page number', () => {
      const number = setLine('17', 300, 775, { size: 12 });
      expect(textOf([[...body(LATER), ...number]])).toBe(LATER.join('\n'));
    });

    it('text at the edges of a letter or a slip → kept', () => {
      const account = setLine('Account 552 81 230 at the bank of tides', 60, 775, { size: 8 });
      for (const letter of [BODY, lines.slice(0, 30)])
        expect(textOf([[...body(letter), ...account]])).toContain('Account');
    });

    it('a line that other pages lack → kept', () => {
      const caption = setLine('Figure 1 The sea at low tide', 60, 38, { size: 8 });
      expect(textOf([[...caption, ...body(lines)], body(lines)])).toContain('Figure 1');
    });
  });

  describe('on a single short page', () => {
    const foot = (text: string) => textOf([[...body(BODY), ...setLine(text, 60, 775)]]);

    it('a source, a date of printing or a revision at the edge → a running head', () => {
      const sources = ['Download date: 15. Sep. 2023', 'https://sand.example/reader', 'Printed 12/03/2014 17:20'];
      const editions = ['Volume 8 of the Sand Reader', 'Proceedings of the Sand Readers, 2017', 'Form 62-A (2013)'];
      for (const text of [...sources, ...editions]) expect(foot(text)).toBe(BODY.join('\n'));
      expect(foot('Your harbour master')).toContain('harbour');
    });

    it('what browsers print at both ends of the edge → a running head; lower → kept', () => {
      const top = (y: number) => [...setLine('23/05/2018', 26, y), ...setLine('The tides of May', 287, y)];
      expect(textOf([[...top(24), ...body(BODY)]])).toBe(BODY.join('\n'));
      expect(textOf([[...top(50), ...body(BODY)]])).toContain('The tides of May');
    });

    it('a page number among all, as some languages write it → a running head', () => {
      for (const text of ['2／31', '·36·', 'Seite 2 von 9', 'Pag.: 1 de 2302', '2 sur 7', '第2页 共6页'])
        expect(foot(text)).toBe(BODY.join('\n'));
    });

    it('numbers of an account or a telephone → kept', () => {
      expect(foot('Sand Limited   tel 0044 552 812 300   5')).toContain('552');
    });

    it('two numbers, as on the axis of a chart → kept', () => {
      expect(textOf([[...body(BODY), ...setLine('7', 300, 775)]])).toBe(BODY.join('\n'));
      expect(textOf([[...body(BODY), ...setLine('7', 60, 775), ...setLine('12', 300, 775)]])).toContain('12');
    });
  });

  describe('evidence on a single page of text', () => {
    it('the last item of a list → kept; a page number behind it → left out', () => {
      const item = setLine('• Speaks to the harbour council', 60, 770);
      expect(textOf([[...body(lines), ...item]])).toContain('council');
      const numbered = textOf([[...body(lines), ...item, ...setLine('42', 540, 770)]]);
      expect(numbered).toContain('council');
      expect(numbered).not.toContain('42');
    });

    it('notes side by side, their numbers on a base line of their own → kept', () => {
      const notes = [60, 320].flatMap((x, index) => [
        ...setLine(String(index + 1), x, 767.5, { size: 5.8 }),
        ...setLine('As the harbour council has it', x + 4, 770, { size: 7 }),
      ]);
      expect(textOf([[...body(lines), ...notes]])).toContain('As the harbour council has it');
    });

    const lines = Array.from({ length: 20 }, (_, index) => `Line ${index} of what the sea has to say today`);
    const isHead = (text: string, y: number, { x = 60, size = 10, from = 120 } = {}) =>
      !textOf([[...setLine(text, x, y, { size }), ...setLines(lines, 60, from, 12)]]).includes(text);
    const NAME = 'Reader and Sons';

    it('a line near the edge and far from the text → a running head', () => {
      expect([isHead(NAME, 50), isHead(NAME, 60), isHead(NAME, 80)]).toEqual([true, false, false]);
    });

    it('a source, the middle of the page, small print → more of one', () => {
      expect(isHead('https://sand.example', 60)).toBe(true);
      expect(isHead(NAME, 60, { x: 265 })).toBe(true);
      expect(isHead(NAME, 62, { size: 9 })).toBe(true);
    });

    it('capitals, the width of a line, the beginning of a sentence left out → less of one', () => {
      expect(isHead('READER AND SONS', 50)).toBe(false);
      expect(isHead('The harbour keeps a list of all that comes in and goes out and in again at night too', 50)).toBe(
        false,
      );
      expect(isHead('reader and sons', 50)).toBe(false);
    });

    it('a word of sources within the width of a line → less of one; before it, or in one of two parts → one', () => {
      const list = 'The list of all that comes in and goes out was published in spring, with the tides of all,';
      expect(isHead(list, 52)).toBe(false);
      expect(isHead(`Published in spring: ${list}`, 52)).toBe(true);
      const parts = [
        ...setLine('The list of all', 60, 52),
        ...setLine('and was published in spring, with tides', 320, 52),
      ];
      expect(textOf([[...parts, ...setLines(lines, 60, 120, 12)]])).not.toContain('published');
    });

    it('parts at the left end, in the middle and at the right end → one in any case; moved aside → less of one', () => {
      const row = (...xs: number[]) =>
        ['Tides of', 'May 2019', 'Part 4-A'].flatMap((text, index) => setLine(text, xs[index] ?? 0, 75));
      const isLeftOut = (parts: ReturnType<typeof row>) =>
        !textOf([[...parts, ...setLines(lines, 60, 120, 12)]]).includes('May 2019');
      expect(isLeftOut(row(60, 280, 500))).toBe(true);
      expect(isLeftOut(row(60, 200, 500))).toBe(false);
      expect(isLeftOut(row(60, 280, 420))).toBe(false);
    });

    it('a number beside the text, or raised above a line → none', () => {
      expect(isHead('91', 60, { x: 500 })).toBe(true);
      expect(isHead('91', 60, { x: 500, from: 72 })).toBe(false);
      const raised = [...setLine('91', 500, 60, { size: 6 }), ...setLine('A line apart', 60, 64)];
      expect(textOf([[...raised, ...setLines(lines, 60, 94, 12)]])).toContain('91');
    });

    it('a line inside of one that is a running head → less of one', () => {
      const text = textOf([
        [...setLine('https://sand.example', 60, 40), ...setLine('Harbour Street', 60, 58), ...body(lines)],
      ]);
      expect(text).toContain('Harbour Street');
      expect(text).not.toContain('https');
      expect(isHead('Harbour Street', 58)).toBe(true);
    });
  });

  it('a rule between a line and the text → a running head', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `Line ${index} of what the sea has to say today`);
    const page = [...setLine('Reader and Sons', 60, 62), ...setLines(lines, 60, 90, 12)];
    const rule = { x0: 60, x1: 540, y0: 70, y1: 70.5 };
    const read = (rules: object[]) => renderText(documentOf(readPages([page], [600, 800], { rules } as object)));
    expect(read([rule])).not.toContain('Sons');
    expect(read([])).toContain('Sons');
  });

  describe('a line that the PDF marks as no content', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `Line ${index} of what the sea has to say today`);
    const mark = (words: ReturnType<typeof setLine>) => words.map((word) => ({ ...word, artifact: true }));
    const head = mark(setLine('Your harbour master', 60, 60));

    it('at the edge of a page of text → a running head, unless most of the page is marked', () => {
      expect(textOf([[...head, ...body(lines)]])).toBe(lines.join('\n'));
      expect(textOf([[...head, ...mark(body(lines))]])).toContain('harbour');
    });

    it('at the top of a letter, or of the first page alone → kept', () => {
      expect(textOf([[...head, ...body(BODY)]])).toContain('harbour');
      expect(textOf([[...head, ...body(lines)], full('Next')])).toContain('harbour');
      expect(textOf([full('First'), [...head, ...body(lines)]])).not.toContain('harbour');
    });

    it('at the foot of a letter → a footer', () => {
      expect(textOf([[...body(BODY), ...mark(setLine('Your harbour master', 60, 740))]])).toBe(BODY.join('\n'));
    });
  });

  it('text beside "page 1 of 1" → kept', () => {
    const foot = [
      ...setLine('Sand Limited, 3 Harbour Street', 60, 756, { size: 8 }),
      ...setLine('Registered as 552 81 230', 60, 765, { size: 8 }),
      ...setLine('Page 1 of 1', 480, 765, { size: 8 }),
    ];
    expect(textOf([[...body(BODY), ...foot]])).toContain('552 81 230');
  });

  it('notes level with the page number → kept in the text', () => {
    const pages = ['On the tides', 'Of sand and of its readers', 'What the sea has read'].map((note, index) => [
      ...body(index === 1 ? LATER : BODY),
      ...setLine(`1 ${note}, by the harbour master`, 60, 770),
      ...setLine(String(index + 4), 520, 770),
    ]);
    const text = textOf(pages);
    expect(text).toContain('On the tides, by the harbour master');
    expect(text).toContain('What the sea has read, by the harbour master');
    expect(text).not.toMatch(/master\s+\d/);
  });

  it('the last line of a slide, level with its number → kept in the text', () => {
    const last = ['by the harbour', 'which nobody has read', 'of the western shore', 'before the next tide'];
    const slides = last.map((line, index) => [
      ...setLines([`A tide ${index}`, 'that comes in with', line], 60, 654, 44, { size: 24 }),
      ...setLine(String(index + 4), 560, 742, { size: 12 }),
    ]);
    expect(textOf(slides).split('\n')).toEqual(expect.arrayContaining(last));
  });

  it('contents, rows or titles whose numbers keep step with a few pages → kept', () => {
    const top = (lines: string[]) =>
      textOf(
        Array.from({ length: 16 }, (_, index) => [
          ...setLine(lines[index] ?? '', 60, 60),
          ...body(index % 2 ? BODY : LATER),
        ]),
      );
    expect(top(['Tides and how they are told ........... 17', 'Shells of the western shore ........... 18'])).toContain(
      '17',
    );
    expect(top(['', '', '', '5 Of the tides', '', '', '', '9 Of the shells'])).toContain('5 Of the tides');
    expect(top(['9 A first row', '', '4 A second one', '', '20 A third one'])).toContain('4 A second one');
  });

  it('a running head above a table whose rows end in the same words on both pages → left out', () => {
    const rows = (first: number) =>
      Array.from({ length: 20 }, (_, index) =>
        setLine(
          `${first + index}.${index} ${index % 2 === 0 ? 'sands moved' : 'posts set in March'}`,
          60,
          160 + index * 12,
        ),
      ).flat();
    const both = [rows(10), rows(40)].map((table, index) => [
      ...setLine('The Sand Reader', 60, 40),
      ...setLine(['Sands by district', 'Sands of the north'][index] ?? '', 60, 120),
      ...table,
    ]);
    expect(textOf(both)).not.toContain('The Sand Reader');
  });

  it('running heads below drawings with smaller words → left out', () => {
    const drawings = ['east', 'west', 'south'].map((side, index) => [
      ...body(BODY.map((line) => `${line} ${side}`)),
      ...setLine('The Sand Reader', 60, 740, { size: 10 }),
      ...setLine(`${index + 1}`, 60, 752, { size: 10 }),
    ]);
    const labels = Array.from({ length: 120 }, (_, index) =>
      setLine('A tide gauge and a shell', 60 + (index % 3) * 180, 60 + Math.floor(index / 3) * 15, { size: 6 }),
    ).flat();
    expect(textOf([...drawings, labels, labels, labels, labels])).not.toContain('The Sand Reader');
  });

  it('a page repeated as a whole → kept', () => {
    const letter = [...setLine('To whom it may concern', 60, 80), ...setLines(LATER, 60, 140, 12)];
    expect(textOf([letter, letter, letter]).match(/concern/g)).toHaveLength(3);
    const others = [BODY, LATER].map((lines) => [...setLine('To whom it may concern', 60, 80), ...body(lines)]);
    expect(textOf(others)).not.toContain('concern');
  });

  it('a value that changes behind its label at the same place → kept; numbers and equal values → left out', () => {
    const foot = (...texts: string[]) =>
      textOf(texts.map((text, index) => [...body(index % 2 ? LATER : BODY), ...setLine(text, 60, 770)]));
    const results = foot('Result: negative', 'Result: negative', 'Result: positive', 'Result: negative');
    expect(results.match(/Result: negative/g)).toHaveLength(3);
    expect(foot('Page: 3 of 9', 'Page: 4 of 9', 'Page: 5 of 9')).not.toContain('Page');
    expect(foot('Keeper: A. Shore', 'Keeper: A. Shore', 'Keeper: A. Shore')).not.toContain('Keeper');
  });

  it('titles with capital Roman numbers → kept; the number in a part of its own → a running head', () => {
    const top = (title: string, x: number) =>
      textOf(
        ['I', 'II', 'III'].map((number, index) => [
          ...setLine(title, 60, 60),
          ...setLine(number, x, 60),
          ...body(index === 1 ? LATER : BODY),
        ]),
      );
    expect(top('Winter', 95)).toMatch(/Winter I\b.*Winter II\b.*Winter III\b/s);
    expect(top('Preface', 500)).not.toContain('Preface');
  });

  it('a list whose rows come again at other heights of the next page → its running head left out', () => {
    const kinds = ['Payment by card', 'Standing order of the month', 'Withdrawal at the quay', 'Transfer of savings'];
    const pages = [0, 1].map((page) => [
      ...setLine('First Harbour Bank', 60, 40),
      ...Array.from({ length: 12 }, (_, row) => {
        const y = 110 + row * 40;
        return [...setLine(kinds[(row + page * 2) % 4] ?? '', 60, y), ...setLine(`${page}${row}.50`, 400, y)];
      }).flat(),
    ]);
    expect(textOf(pages)).not.toContain('Harbour Bank');
  });

  it('the same letter to several people → repeated lines kept', () => {
    const letters = ['Anna Berg', 'Tom Miller', 'Ines Costa'].map((name, index) => [
      ...setLine('May 5, 2026', 400, 60),
      ...setLine('Notice of the tide', 60, 90, { bold: true }),
      ...setLine(`Dear ${name},`, 60, 130),
      ...setLines([`your place on the sand has number ${index + 7}, and`, 'the sea comes to it at noon.'], 60, 160, 12),
      ...setLine('Please take your chair with you.', 60, 200),
    ]);
    expect(textOf(letters).match(/May 5, 2026/g)).toHaveLength(3);
    expect(textOf(letters).match(/Notice of the tide/g)).toHaveLength(3);
  });

  it('titles of sections that come again at the top of single pages → left out; a title alone → kept', () => {
    const page = (head: string, title: string) => [
      ...setLine(head, 60, 36),
      ...setLine(title, 60, 100, { size: 14, bold: true }),
      ...body(BODY),
    ];
    const read = textOf([page('On the Tide', '1. On the tide'), page('ON THE SAND', '2. On the sand')]);
    expect(read).not.toMatch(/Tide|SAND/);
    expect(read).toContain('2. On the sand');
    expect(textOf([page('On the Moon', '1. On the tide'), page('On Stars', '2. On the sand')])).toMatch(
      /Moon[\s\S]*Stars/,
    );
    // Some programs set the head a tenth of the page below its edge.
    const low = (head: RawWord[], title: string) => [
      ...head,
      ...setLine(title, 60, 104, { size: 14, bold: true }),
      ...body(BODY),
    ];
    const heads = ['On the tide', 'On the sand'];
    expect(textOf(heads.map((head) => low(setLine(head, 60, 64), head))).match(/On the (?:tide|sand)/g)).toHaveLength(
      2,
    );
    const sheets = heads.map((head) => [...setLine(head, 60, 64, { bold: true }), ...setLine('Keep this', 400, 64)]);
    expect(textOf(sheets.map((sheet, index) => low(sheet, heads[index] ?? '')))).toContain('Keep this');
  });

  it('numbered sentences and questions at the edges of some pages → kept', () => {
    const clauses = ['(c) leaves the sand for two years.', '13 (1) The sea decides.', '(9) The year ends in June.'];
    const ended = textOf(
      clauses.map((clause, index) => [...body(index === 1 ? LATER : BODY), ...setLine(clause, 60, 720)]),
    );
    for (const clause of clauses) expect(ended).toContain(clause.slice(4));
    const asked = ['Q1', 'Q4', 'Q9'].map((number, index) => [
      ...setLine(number, 60, 90, { bold: true }),
      ...body(index === 1 ? LATER : BODY),
    ]);
    expect(textOf(asked)).toContain('Q9');
  });

  it('words beside each other on a single page, a number last → kept', () => {
    const labels = [...setLine('Left column line 1', 60, 60), ...setLine('Right column line 1', 300, 60)];
    expect(textOf([[...labels, ...body(BODY)]])).toContain('Left column line 1');
  });

  it('large type on every page → kept', () => {
    const titled = [1, 2, 3].map((number) => [...setLine(`Sheet ${number}`, 60, 60, { size: 18 }), ...body(BODY)]);
    expect(textOf(titled)).toContain('Sheet 2');
  });

  it('a chapter name in large type above other text → a running head after its first page', () => {
    const pages = [BODY, LATER, [...LATER].reverse()].map((lines) => [
      ...setLine('Between Tides', 60, 60, { size: 18 }),
      ...body(lines),
    ]);
    expect(textOf(pages).match(/Between Tides/g)).toHaveLength(1);
    const counted = [BODY, LATER, [...LATER].reverse()].map((lines, index) => [
      ...setLine(`Tide ${index + 1}`, 60, 60, { size: 18 }),
      ...body(lines),
    ]);
    expect(textOf(counted)).toContain('Tide 3');
  });

  it('titles somewhat larger than the text whose figures keep step with the pages → kept', () => {
    const top = (titles: string[], size: number) =>
      textOf(
        titles.map((title, index) => [...setLine(title, 60, 60, { size }), ...body(index % 2 === 0 ? BODY : LATER)]),
      );
    const parts = ['Part 1 of the tides', 'Part 2 of the tides', 'Part 3 of the tides'];
    for (const part of parts) expect(top(parts, 12.5)).toContain(part);
    expect(top(parts, 11)).not.toContain('of the tides');
    const sections = ['1 Tides', '2 Shells', '3 Gulls'];
    for (const section of sections) expect(top(sections, 12)).toContain(section);
    expect(top(sections, 10)).not.toContain('Shells');
  });

  it('the title of the document as its running head → kept on the first page', () => {
    const titled = (size: number) =>
      textOf(
        [BODY, LATER, [...LATER].reverse()].map((lines) => [
          ...setLine('Between Tides', 60, 60, { size }),
          ...body(lines),
        ]),
      );
    expect(titled(12.5)).toMatch(/^Between Tides\n\nThe tide(?!.*Between)/s);
    expect(titled(11)).not.toContain('Between Tides');
  });

  it('one counting line as all the text of most pages → kept', () => {
    const slips = [1, 2, 3].map((number) => setLine(`Slip number ${number} of the box`, 60, 90));
    expect(textOf(slips)).toBe('Slip number 1 of the box\n\nSlip number 2 of the box\n\nSlip number 3 of the box');
    expect(textOf([1, 2].map((number) => setLine(`Page ${number}`, 60, 90)))).toBe('Page 1\n\nPage 2');
  });

  it('a page with nothing but a running head, among others → left out', () => {
    const [first, , third] = pages;
    const empty = [...setLine('The Sand Reader', 60, 40), ...setLine('13', 300, 770)];
    expect(textOf([first ?? [], empty, third ?? []])).toBe([BODY, BODY].map((lines) => lines.join('\n')).join('\n\n'));
  });

  it('repeated last lines of a paragraph → kept', () => {
    expect(
      textOf([full('first'), full('first'), full('first')])
        .split('\n')
        .filter(Boolean),
    ).toHaveLength(3 * 54);
  });

  it('a row of three parts right above another, whose number counts with the pages → a header', () => {
    const pages = [2, 3, 4].map((number) => [
      ...setLine('Sheet', 60, 40),
      ...setLine('List that goes on', 220, 40),
      ...setLine(`Page ${number} of 28 pages`, 440, 40),
      ...setLine('Sand and sea', 220, 53),
      ...body(number === 3 ? LATER : BODY),
    ]);
    expect(textOf(pages)).toBe([BODY, LATER, BODY].map((lines) => lines.join('\n')).join('\n\n'));
  });

  it('the head of a table over several pages → kept', () => {
    const table = [1, 2, 3].map(() =>
      ['Date Payee Amount', 'May Baker 12.50', 'June Brewer 3.10', 'July Miller 7.77'].flatMap((row, line) =>
        row.split(' ').flatMap((cell, column) => setLine(cell, 60 + column * 150, 100 + line * 14)),
      ),
    );
    expect(textOf(table).match(/Payee/g)).toHaveLength(3);
  });
});
