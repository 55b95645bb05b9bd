"""apply_names.py TREE REFS.jsonl...: put the new names in; tells clashes."""
import os; HERE = os.path.dirname(os.path.abspath(__file__))
import json, sys, os, collections, re
tree=sys.argv[1]; edits=collections.defaultdict(dict); bad=0
for f in sys.argv[2:]:
    for l in open(f):
        r=json.loads(l); kind,file,line,q,new=r['row']; old=q.split('.')[-1]
        if not r['refs']: print('NO REFS',r['row']); bad+=1
        for p,ln,a,b in r['refs']:
            if p.startswith('../') or p.startswith('/') : print('OUTSIDE',p,r['row']); continue
            k=(ln,a)
            e=edits[p].get(k)
            if e and e[1]!=new: print(f'CLASH {p}:{ln}:{a} {old}: {e[1]} (from {e[2]}) or {new} (from {file}:{q})'); bad+=1; continue
            edits[p][k]=(b-a,new,f'{file}:{q}',old)
for p,es in edits.items():
    path=os.path.join(tree,p); L=open(path).read().split('\n')
    for (ln,a),(n,new,src,old) in sorted(es.items(),reverse=True):
        s=L[ln-1]; was=s.encode('utf-16-le')[2*a:2*(a+n)].decode('utf-16-le')
        if was!=old: print(f'MISMATCH {p}:{ln} {was!r} is not {old!r} ({src})'); continue
        bs=s.encode('utf-16-le'); L[ln-1]=(bs[:2*a]+new.encode('utf-16-le')+bs[2*(a+n):]).decode('utf-16-le')
    open(path,'w').write('\n'.join(L))
print(sum(map(len,edits.values())),'edits in',len(edits),'files;',bad,'bad')
