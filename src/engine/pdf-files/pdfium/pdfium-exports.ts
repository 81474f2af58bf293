/** Writes a colour of an object to the four addresses; 0 where it has none. */
export type ColorReader = (object: number, r: number, g: number, b: number, a: number) => number;

/**
 * The part of PDFium's C interface that is used here. The package's own types name only some of its exports.
 * Pointers are numbers into the module's memory. Source: PDFium's public headers (fpdfview.h, fpdf_text.h,
 * fpdf_edit.h, fpdf_formfill.h, fpdf_sysfontinfo.h).
 */
export interface Pdfium {
  HEAPU8: Uint8Array;
  HEAP32: Int32Array;
  HEAPF32: Float32Array;
  HEAPF64: Float64Array;
  /** Functions that C calls by pointers. */
  wasmExports: { __indirect_function_table: { set(index: number, callee: unknown): void } };
  _malloc(sizeBytes: number): number;
  _free(pointer: number): void;
  _FPDF_InitLibraryWithConfig(config: object): void;
  _FPDF_GetDefaultSystemFontInfo(): number;
  _FPDF_SetSystemFontInfo(info: number): void;
  _FPDF_LoadMemDocument(bytes: number, sizeBytes: number, password: number): number;
  _FPDF_GetLastError(): number;
  _FPDF_CloseDocument(document: number): void;
  _FPDF_SaveAsCopy(document: number, writer: number, flags: number): number;
  _FPDF_GetFormType(document: number): number;
  _FPDF_DocumentHasValidCrossReferenceTable(document: number): number;
  _FPDF_GetMetaText(document: number, key: number, buffer: number, sizeBytes: number): number;
  _FPDF_GetSecurityHandlerRevision(document: number): number;
  _FPDF_GetDocUserPermissions(document: number): number;
  _FPDF_GetSignatureCount(document: number): number;
  _FPDFCatalog_IsTagged(document: number): number;
  _FPDFDoc_GetAttachmentCount(document: number): number;
  _FPDFDoc_GetAttachment(document: number, index: number): number;
  _FPDFAttachment_GetName(attachment: number, buffer: number, sizeBytes: number): number;
  _FPDFBookmark_GetFirstChild(document: number, bookmark: number): number;
  _FPDFBookmark_GetNextSibling(document: number, bookmark: number): number;
  _FPDFBookmark_GetTitle(bookmark: number, buffer: number, sizeBytes: number): number;
  _FPDFBookmark_GetDest(document: number, bookmark: number): number;
  _FPDFBookmark_GetAction(bookmark: number): number;
  _FPDFAction_GetDest(document: number, action: number): number;
  _FPDFDest_GetDestPageIndex(document: number, destination: number): number;
  _FPDF_GetPageCount(document: number): number;
  _FPDF_LoadPage(document: number, index: number): number;
  _FPDF_ClosePage(page: number): void;
  _FPDF_GetPageWidthF(page: number): number;
  _FPDF_GetPageHeightF(page: number): number;
  _FPDF_GetPageBoundingBox(page: number, rect: number): number;
  _FPDFPage_GetRotation(page: number): number;
  _FPDFPage_SetRotation(page: number, quarters: number): void;
  _FPDFPage_CountObjects(page: number): number;
  _FPDFPage_GetObject(page: number, index: number): number;
  _FPDFPageObj_GetType(object: number): number;
  _FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number;
  _FPDFPageObj_GetFillColor: ColorReader;
  _FPDFPageObj_GetStrokeColor: ColorReader;
  _FPDFPageObj_GetStrokeWidth(object: number, width: number): number;
  _FPDFPageObj_GetMatrix(object: number, matrix: number): number;
  _FPDFPageObj_CountMarks(object: number): number;
  _FPDFPageObj_GetMark(object: number, index: number): number;
  _FPDFPageObjMark_GetName(mark: number, buffer: number, sizeBytes: number, neededBytes: number): number;
  _FPDFPageObjMark_GetParamStringValue(
    mark: number,
    key: number,
    buffer: number,
    sizeBytes: number,
    neededBytes: number,
  ): number;
  _FPDFImageObj_GetImagePixelSize(image: number, width: number, height: number): number;
  _FPDFPath_GetDrawMode(path: number, fillMode: number, stroke: number): number;
  _FPDFPath_CountSegments(path: number): number;
  _FPDFPath_GetPathSegment(path: number, index: number): number;
  _FPDFPathSegment_GetPoint(segment: number, x: number, y: number): number;
  _FPDFPageObj_GetClipPath(object: number): number;
  _FPDFClipPath_CountPaths(clip: number): number;
  _FPDFClipPath_CountPathSegments(clip: number, path: number): number;
  _FPDFClipPath_GetPathSegment(clip: number, path: number, index: number): number;
  _FPDFPathSegment_GetType(segment: number): number;
  _FPDFPathSegment_GetClose(segment: number): number;
  _FPDFLink_Enumerate(page: number, position: number, link: number): number;
  _FPDFLink_GetAnnotRect(link: number, rect: number): number;
  _FPDFLink_CountQuadPoints(link: number): number;
  _FPDFLink_GetQuadPoints(link: number, index: number, corners: number): number;
  _FPDFLink_GetAction(link: number): number;
  _FPDFAction_GetURIPath(document: number, action: number, buffer: number, sizeBytes: number): number;
  _FPDFFormObj_CountObjects(form: number): number;
  _FPDFFormObj_GetObject(form: number, index: number): number;
  _FPDFPage_GetAnnotCount(page: number): number;
  _FPDFPage_GetAnnot(page: number, index: number): number;
  _FPDFPage_CloseAnnot(annotation: number): void;
  _FPDFAnnot_GetSubtype(annotation: number): number;
  _FPDFPage_SetMediaBox(page: number, left: number, bottom: number, right: number, top: number): void;
  _FPDFPage_SetCropBox(page: number, left: number, bottom: number, right: number, top: number): void;
  _FPDFPage_Flatten(page: number, use: number): number;
  _FPDFDOC_InitFormFillEnvironment(document: number, info: number): number;
  _FPDFDOC_ExitFormFillEnvironment(form: number): void;
  _FORM_OnAfterLoadPage(page: number, form: number): void;
  _FORM_OnBeforeClosePage(page: number, form: number): void;
  _FPDFText_LoadPage(page: number): number;
  _FPDFText_ClosePage(text: number): void;
  _FPDFText_CountChars(text: number): number;
  _FPDFText_GetUnicode(text: number, index: number): number;
  _FPDFText_HasUnicodeMapError(text: number, index: number): number;
  _FPDFText_GetTextObject(text: number, index: number): number;
  _FPDFText_GetFontSize(text: number, index: number): number;
  _FPDFText_GetMatrix(text: number, index: number, matrix: number): number;
  _FPDFText_GetCharBox(text: number, index: number, left: number, right: number, bottom: number, top: number): number;
  _FPDFText_GetLooseCharBox(text: number, index: number, rect: number): number;
  _FPDFText_GetCharOrigin(text: number, index: number, x: number, y: number): number;
  _FPDFTextObj_GetFont(object: number): number;
  _FPDFFont_GetGlyphWidth(font: number, character: number, fontSize: number, width: number): number;
  _FPDFFont_GetBaseFontName(font: number, buffer: number, sizeBytes: number): number;
  _FPDFFont_GetFamilyName(font: number, buffer: number, sizeBytes: number): number;
  _FPDFFont_GetFlags(font: number): number;
  _FPDFFont_GetIsEmbedded(font: number): number;
  _FPDFFont_GetFontData(font: number, buffer: number, sizeBytes: number, neededBytes: number): number;
  _FPDFFont_GetWeight(font: number): number;
  _FPDFBitmap_CreateEx(width: number, height: number, format: number, buffer: number, stride: number): number;
  _FPDFBitmap_FillRect(bitmap: number, left: number, top: number, width: number, height: number, color: number): number;
  _FPDFBitmap_Destroy(bitmap: number): void;
  _FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    x: number,
    y: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ): void;
}
