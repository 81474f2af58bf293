/**
 * The arguments of a function as this machine takes them: where there are `languages`, their description names those
 * whose data is installed. Any other code stays valid, and is answered with what to install.
 */
export function nameLanguages(
  argsSchema: Record<string, unknown>,
  installed: readonly string[],
): Record<string, unknown> {
  const properties = argsSchema.properties as Record<string, Record<string, unknown>> | undefined;
  const languages = properties?.languages;
  if (languages === undefined || installed.length === 0) return argsSchema;
  const description = `${languages.description} Installed: ${installed.join(', ')}.`;
  const items = { ...(languages.items as Record<string, unknown>), examples: [...installed] };
  return { ...argsSchema, properties: { ...properties, languages: { ...languages, description, items } } };
}
