const DATE = /^D?:?\s*(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*(?:(Z)|([+-])(\d\d)'?(\d\d)?)?/;

/**
 * Parses a date as PDF writes it ("D:20240229093000+01'00'", ISO 32000-1, 7.9.4) to ISO 8601, with as many parts as it
 * has, without an offset where it has none; undefined when the calendar has no such date.
 */
export function parsePdfDate(text: string): string | undefined {
  const match = DATE.exec(text.trim());
  if (match === null) return undefined;
  const [, year = '', month, day, hour, minute, second, zulu, sign, offsetHours, offsetMinutes = '00'] = match;
  const [yearNumber, monthNumber, dayNumber] = [Number(year), Number(month ?? 1), Number(day ?? 1)];
  const calendar = new Date(Date.UTC(yearNumber, monthNumber - 1, dayNumber));
  if (calendar.getUTCMonth() !== monthNumber - 1 || calendar.getUTCDate() !== dayNumber) return undefined;
  if (month === undefined) return year;
  if (day === undefined) return `${year}-${month}`;
  if (hour === undefined) return `${year}-${month}-${day}`;
  if (Number(hour) > 23 || Number(minute ?? 0) > 59 || Number(second ?? 0) > 59) return undefined;
  const zone = zulu === 'Z' ? 'Z' : sign === undefined ? '' : `${sign}${offsetHours}:${offsetMinutes}`;
  const offset = zone === '+00:00' || zone === '-00:00' ? 'Z' : zone;
  return `${year}-${month}-${day}T${hour}:${minute ?? '00'}:${second ?? '00'}${offset}`;
}
