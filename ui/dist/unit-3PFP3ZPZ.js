import{g as t}from"./chunk-7KYNOI5T.js";function n(){return t("h1",{children:"Unit"})}export{n as default};
