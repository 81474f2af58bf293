/** A PDF of objects as they are written in files; the first one is the catalog, and they are numbered from 1. */
export function writePdf(objects: readonly string[], trailer = ''): Buffer {
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const end = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>`;
  return Buffer.from(`${file}${end}\nstartxref\n${file.length}\n%%EOF\n`, 'latin1');
}
