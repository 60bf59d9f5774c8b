// Own functions, because the packages that have check digits (`validator`, `ibantools`) have them for five of these
// ten numbers, and decide by country and format in one, while the detectors here match formats of their own.

/** True if the last digit of a number is its check digit by the Luhn algorithm. */
export function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = digits.length - 1, double = false; at >= 0; at -= 1, double = !double) {
    const digit = Number(digits[at]) * (double ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

/** The tax id of Germany: ISO 7064, MOD 11,10. */
export function isGermanTaxId(digits: string): boolean {
  if (!/^[1-9]\d{10}$/.test(digits)) return false;
  const counts = new Map<string, number>();
  for (const digit of digits.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  const repeated = [...counts.values()].filter((count) => count > 1);
  if (repeated.length !== 1 || repeated[0]! > 3) return false;
  let product = 10;
  for (const digit of digits.slice(0, 10)) {
    const sum = (Number(digit) + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(digits[10]);
}

/** The insurance number of Germany: area, birthday, initial, serial, check digit. */
export function isGermanInsuranceNumber(text: string): boolean {
  const match = /^(\d{8})([A-Z])(\d{2})(\d)$/.exec(text);
  if (!match) return false;
  const letter = String(match[2]!.charCodeAt(0) - 64).padStart(2, '0');
  const digits = match[1]! + letter + match[3]!;
  const sum = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1].reduce((total, weight, at) => {
    const product = weight * Number(digits[at]);
    return total + Math.floor(product / 10) + (product % 10);
  }, 0);
  return sum % 10 === Number(match[4]);
}

/** Numbers of identity cards and machine-readable lines: weights 7, 3, 1 over letters and digits. */
export function isDocumentNumber(text: string): boolean {
  if (!/^[A-Z0-9]{9}\d$/.test(text)) return false;
  const sum = [...text.slice(0, 9)].reduce(
    (total, char, at) => total + Number.parseInt(char, 36) * [7, 3, 1][at % 3]!,
    0,
  );
  return sum % 10 === Number(text[9]);
}

/** Identity numbers of Spain: eight digits, or a letter and seven, with a check letter. */
export function isSpanishId(text: string): boolean {
  const match = /^([XYZ]?\d{7,8})([A-Z])$/.exec(text);
  if (!match) return false;
  const digits = match[1]!.replace('X', '0').replace('Y', '1').replace('Z', '2');
  return digits.length === 8 && 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(digits) % 23] === match[2];
}

/** Social security numbers of France: thirteen digits with a key of two. */
export function isFrenchInsuranceNumber(text: string): boolean {
  const match = /^([12]\d{4}(?:\d{2}|2[AB])\d{6})(\d{2})$/.exec(text);
  if (!match) return false;
  const number = match[1]!.replace('2A', '19').replace('2B', '18');
  return 97n - (BigInt(number) % 97n) === BigInt(match[2]!);
}

/** Tax codes of Italy: sixteen letters and digits, the last of which is a check letter. */
export function isItalianTaxCode(text: string): boolean {
  if (!/^[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]$/.test(text)) return false;
  const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
  const sum = [...text.slice(0, 15)].reduce((total, char, at) => {
    const value = /\d/.test(char) ? Number(char) : char.charCodeAt(0) - 65;
    return total + (at % 2 === 0 ? odd[value]! : value);
  }, 0);
  return String.fromCharCode(65 + (sum % 26)) === text[15];
}

/** Numbers of the National Health Service: weights 10 to 2, modulo 11. */
export function isNhsNumber(digits: string): boolean {
  if (!/^\d{10}$/.test(digits)) return false;
  const sum = [...digits.slice(0, 9)].reduce((total, digit, at) => total + Number(digit) * (10 - at), 0);
  return (11 - (sum % 11)) % 11 === Number(digits[9]);
}

/** Citizen service numbers of the Netherlands: weights 9 to 2 and -1, modulo 11. */
export function isDutchBsn(digits: string): boolean {
  if (!/^\d{9}$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at === 8 ? -1 : 9 - at), 0);
  return sum % 11 === 0;
}
