/** A text of which its column shows as much as it has room for. A script gives the pointer the whole. */
export function Cut({ text }: { text: string }) {
  return <bdi class="cut">{text}</bdi>;
}
