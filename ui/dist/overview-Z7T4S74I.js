import{g as e}from"./chunk-7KYNOI5T.js";function r(){return e("h1",{children:"Overview"})}export{r as default};
