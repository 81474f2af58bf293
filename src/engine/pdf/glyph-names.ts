/** Names that TeX's fonts of signs have and the Adobe Glyph List, which PDFium knows, has not. */
const SIGNS: ReadonlyMap<string, string> = new Map(
  [
    ['circlecopyrt \u20dd', 'negationslash \u0338', 'prime ′', 'visiblespace ␣', 'check ✓', 'star ⋆'],
    ['angbracketleft ⟨', 'angbracketright ⟩', 'ceilingleft ⌈', 'ceilingright ⌉', 'floorleft ⌊', 'floorright ⌋'],
    ['summation ∑', 'product ∏', 'coproduct ∐', 'integral ∫', 'contintegral ∮', 'radical √'],
    ['union ⋃', 'intersection ⋂', 'unionmulti ⊎', 'unionsq ⊔', 'intersectionsq ⊓', 'logicaland ⋀', 'logicalor ⋁'],
    ['circleminus ⊖', 'circledivide ⊘', 'circledot ⊙', 'circleplus ⊕', 'circlemultiply ⊗'],
    ['lessmuch ≪', 'greatermuch ≫', 'precedesequal ⪯', 'followsequal ⪰', 'follows ≻', 'similarequal ≃', 'defines ≜'],
    ['lessorequalslant ⩽', 'greaterorequalslant ⩾', 'lessorsimilar ≲', 'greaterorsimilar ≳', 'approxorequal ≊'],
    ['subsetsqequal ⊑', 'supersetsqequal ⊒', 'subsetnoteql ⊊', 'notsubseteql ⊈', 'owner ∋', 'notexistential ∄'],
    ['turnstileleft ⊢', 'turnstileright ⊣', 'forces ⊩', 'latticetop ⊤', 'intercal ⊺', 'wreathproduct ≀'],
    ['epsilon1 ϵ', 'pi1 ϖ', 'rho1 ϱ', 'lscript ℓ', 'Rfractur ℜ', 'Ifractur ℑ', 'flat ♭', 'natural ♮', 'sharp ♯'],
    ['triangle △', 'triangleinv ▽', 'triangleleft ◁', 'triangleright ▷', 'triangleleftsld ◀', 'trianglesolid ▲'],
    ['square □', 'squaresolid ■', 'diamondmath ⋄', 'arrownortheast ↗', 'arrowsoutheast ↘', 'bardbl ‖'],
    ['arrownorthwest ↖', 'arrowsouthwest ↙', 'arrowbothv ↕', 'squiggleright ⇝'],
  ]
    .flat()
    .map((entry) => entry.split(' ') as [string, string]),
);
const LIGATURE = /^[A-Za-z](?:_[A-Za-z])+$/;
/** `f_i.alt` is another shape of `f_i`, `summationtext` another size of `summation`. */
const SHAPE = /\.\w+$/;
const SIZE = /(?:[bB]igg?|text|display)$/;
/** Hung from the base line, over several lines or over letters, where no line of text has a place for them; or ends of arrows. */
const DRAWN = /(?:left|right)[bB]igg?$|wide(?:r|st)?$|^bracehtip|^vextend|^mapsto$|^arrowhook/;

/**
 * The text of a glyph that PDFium does not read from its name: letters joined by `_`, a sign, or nothing. Undefined where
 * the name does not tell, as made-up ones (g42, A). Source: Adobe Glyph List Specification, 2.
 */
export function readGlyphName(name: string): string | undefined {
  const base = name.replace(SHAPE, '');
  if (LIGATURE.test(base)) return base.replaceAll('_', '');
  return DRAWN.test(base) ? '' : (SIGNS.get(base) ?? SIGNS.get(base.replace(SIZE, '')));
}
