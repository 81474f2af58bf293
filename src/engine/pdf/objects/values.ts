/** What PDF files are made of (ISO 32000-1, 7.3). A string is its bytes: what they mean depends on where it stands. */
export type PdfValue = null | boolean | number | PdfName | Buffer | PdfRef | PdfDict | PdfStream | PdfValue[];

export class PdfName {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Points to an object by its number; generations do not matter in a file that was written anew. */
export class PdfRef {
  readonly number: number;
  constructor(number: number) {
    this.number = number;
  }
}

export class PdfDict extends Map<string, PdfValue> {}

export class PdfStream {
  readonly dict: PdfDict;
  /** As stored, that is with its filters. */
  readonly data: Buffer;
  constructor(dict: PdfDict, data: Buffer) {
    this.dict = dict;
    this.data = data;
  }
}
