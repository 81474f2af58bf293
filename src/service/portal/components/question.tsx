import type { ComponentChildren } from 'preact';
import { Link } from './link.js';
import { PostForm } from './post-form.js';

/**
 * Asks before something breaks: the whole of a page's content, and of the dialog that a link with `data-dialog` opens. `children`
 * say what breaks. Cancel comes first and gets the focus.
 */
export function Question(props: {
  title: string;
  /** Path of the POST that does it. */
  to: string;
  /** Word of the button that does it: Revoke. */
  action: string;
  /** Path of the page to go back to. */
  back: string;
  /** Fields that the form sends along. */
  hidden?: Readonly<Record<string, string>>;
  /** True where nothing breaks. */
  isHarmless?: boolean;
  children: ComponentChildren;
}) {
  const { title, to, action, back, hidden = {}, isHarmless = false, children } = props;
  return (
    <div class="question" data-question={title}>
      {children}
      <PostForm to={to}>
        {Object.entries(hidden).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div class="buttons">
          <Link class="button" to={back} isCancel>
            Cancel
          </Link>
          <button class={isHarmless ? 'button main' : 'button danger'} type="submit">
            {action}
          </button>
        </div>
      </PostForm>
    </div>
  );
}
