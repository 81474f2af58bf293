/** One of several rules in order, of which the first one that holds decides. */
export interface Rule<Context> {
  readonly when: (context: Context) => boolean;
  readonly decides: boolean;
}

/** Returns what the first rule that holds decides; undefined where none does. */
export const decide = <Context>(rules: readonly Rule<Context>[], context: Context): boolean | undefined =>
  rules.find(({ when }) => when(context))?.decides;
