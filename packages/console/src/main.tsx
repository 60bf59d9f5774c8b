import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import styles from './main.module.css';

const root = document.querySelector('#root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <h1 className={styles.title}>Redpen</h1>
    </StrictMode>,
  );
}
