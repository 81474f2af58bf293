import { describe, expect, it } from 'vitest';
import { isAddress } from '../../../../src/engine/model/addresses.js';

describe('isAddress', () => {
  it.each([
    ['Maria Keller', 'Lindenweg 8', '79100 Freiburg'],
    ['Lenze', 'Ploegweg 15', "NL-5232 BR 's-Hertogenbosch"],
    ['Azure Interior', '4557 De Silva St', 'Fremont CA 94538'],
    ['Sammy Gray', '12345 Sunny Road', 'Floor two', 'Sunnyville, TX 12345'],
    ['Northwind', '14 Harbour Street', 'Bristol BS1 4QA'],
    ['Vélos Martin', '27 rue Henri Rolland', '69100 Villeurbanne'],
    ['Biuro', 'ul. Kacza 11/2', '91-504 Łódź'],
    ['Surf Shop', '7 Beach Road', 'Sydney NSW 2000'],
    ['Edith Farrow', 'Unit 7, Mill Lane', 'Ashcombe AC1 9PP'],
    ['Rowing Club', 'Boathouse Lane', 'Whitby YO22 4DX'],
    ['Tel. 0341 12345-0', 'Fax 0341 12345-99', 'info@joiner.example'],
    ['Harbour Bank', 'IBAN GB12 LOYD 3092 1234', 'BIC LOYDGB2L'],
    ['Amtsgericht Leipzig HRB 12345', 'USt-IdNr. DE123456789', 'Karl Brandt'],
  ])('%s, %s, %s → address', (...lines) => {
    expect(isAddress(lines)).toBe(true);
  });

  it.each([
    ['Streets', '37808 Old Highway', '1522 West Lindsey Street'],
    ['Codes', '61420 SPE8EF20P0173', '61420 SPE8EF18P0651'],
    ['Payments', 'Paid on 21 April 2015', 'Due on 25 May 2015'],
    ['Terms', 'Section 8', 'Nothing here is a town'],
    ['Part', 'Casing', 'A1 2BC'],
    ['Tel. 0341 12345', 'Tel. 0341 67890', 'Telephone 0341 11111'],
    ['Tel.', 'Fax', 'E-mail'],
  ])('%s, %s, %s → none', (...lines) => {
    expect(isAddress(lines)).toBe(false);
  });

  it('long lines of prose → none, in linear time', () => {
    expect(isAddress(['Keller', `at ${'a 1 '.repeat(50_000)}`, '79100 Freiburg'])).toBe(false);
  });
});
