/** A command as it is declared: what completion and the reference are made of. */
export interface CommandNode {
  /** As it is typed, from the program's name on: `ocr jobs wait`. */
  path: string;
  name: string;
  description: string;
  /** As usage shows them: `<jobId>`, `[input...]`. */
  args: string[];
  /** One for each of them; may be empty. */
  argDescriptions: string[];
  /** Values that an argument is one of, where it is. */
  argChoices: string[];
  options: OptionNode[];
  examples: string[];
  /** What a noun alone does: the name of one of its commands. */
  defaultCommand: string | undefined;
  commands: CommandNode[];
}

export interface OptionNode {
  /** `-o`, `--output`. */
  names: string[];
  /** As help shows it: `-o, --output <file>`. */
  flags: string;
  description: string;
  /** `<file>` → `file`; undefined for one that takes none. */
  value: string | undefined;
  choices: string[];
}
