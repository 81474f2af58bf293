export function checkLanguage(fileName: string, source: string): Array<{ line: number; text: string; rule: string }>;
