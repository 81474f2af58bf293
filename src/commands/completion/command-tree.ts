/** A declared command, the source of completion and of the reference. */
export interface CommandNode {
  /** The words from the program's name on: `ocr jobs wait`. */
  path: string;
  name: string;
  description: string;
  /** The arguments in usage form: `<jobId>`, `[input...]`. */
  args: string[];
  /** One for each argument; may be empty. */
  argDescriptions: string[];
  /** Allowed values of an argument that has a fixed set. */
  argChoices: string[];
  options: OptionNode[];
  examples: string[];
  /** Name of the command that the noun alone runs. */
  defaultCommand: string | undefined;
  commands: CommandNode[];
}

export interface OptionNode {
  /** `-o`, `--output`. */
  names: string[];
  /** The help form: `-o, --output <file>`. */
  flags: string;
  description: string;
  /** `<file>` → `file`; undefined for an option without a value. */
  value: string | undefined;
  choices: string[];
}
