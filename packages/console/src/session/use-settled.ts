import { useEffect, useState } from 'react';

const SETTLES_MS = 500;

/**
 * True once the window has had the focus for a moment. A page can put another window above this one and close it at the first
 * click of two, so that the second one lands here.
 */
export function useSettled(): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onBlur = () => {
      clearTimeout(timer);
      setSettled(false);
    };
    const onFocus = () => {
      clearTimeout(timer);
      timer = setTimeout(() => setSettled(true), SETTLES_MS);
    };
    if (document.hasFocus()) onFocus();
    addEventListener('focus', onFocus);
    addEventListener('blur', onBlur);
    return () => {
      clearTimeout(timer);
      removeEventListener('focus', onFocus);
      removeEventListener('blur', onBlur);
    };
  }, []);
  return isSettled;
}
