import { type ChangeMarks, SUBJECTS, type Subject } from '../../../store/change-marks.js';

/** Renders marks as the id of an event, which a browser repeats when it comes back. */
export function renderMarks(marks: ChangeMarks): string {
  return SUBJECTS.map((subject) => marks[subject]).join('.');
}

/** Returns the subjects that have changed since the marks that a page was rendered after; all for a text that is no marks. */
export function findChanged(seen: string, marks: ChangeMarks): Subject[] {
  const parts = seen.split('.');
  return SUBJECTS.filter((subject, index) => parts[index] !== marks[subject]);
}
