/**
 * Signs of the font Symbol from the space (code 20) on; spaces where a code has none, too. Source: ISO 32000-2, D.5,
 * with the pieces of tall brackets as Unicode has them.
 */
const SIGNS =
  ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼' +
  ' '.repeat(33) +
  '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐─↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ ⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭';

/** The first of the codes that Windows gives the signs of fonts with an encoding of their own. */
export const FIRST_SYMBOL = 0xf020;

/** The sign for a code of the font Symbol that stands for itself alone, in the area of private use. */
export function symbolSign(code: number): string | undefined {
  const sign = SIGNS[code - FIRST_SYMBOL];
  return sign === ' ' && code !== FIRST_SYMBOL ? undefined : sign;
}
