function e(n){let r=n<1e3?0:Math.min(4,Math.floor(Math.log10(n)/3)),t=n/1e3**r;return`${r===0||t>=100?Math.round(t):Math.round(t*10)/10} ${["B","kB","MB","GB","TB"][r]}`}export{e as a};
