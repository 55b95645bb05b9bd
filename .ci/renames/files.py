"""files.py TREE: merges (final/merges.txt: a<TAB>into) then moves (final/files.txt: old<TAB>new) files, and rewrites imports."""
import os; HERE = os.path.dirname(os.path.abspath(__file__))
import ast, sys, os, re, subprocess, collections
tree=sys.argv[1]; dry='--dry' in sys.argv; os.chdir(tree)
ALL=[f for f in subprocess.run(['git','ls-files'],capture_output=True,text=True).stdout.split('\n') if f and not f.startswith('games/')]
PY=[f for f in ALL if f.endswith(('.py','.pyi')) and (f.startswith(('gdl/','solvers/','tests/','.ci'))) and f!='gdl/solvers']
def modname(f):
    m=f.rsplit('.',1)[0].replace('/','.').removesuffix('.__init__')
    return 'gdl.'+m if m.startswith('solvers') and m.split('.')[0]=='solvers' else m
text={f:open(f).read() for f in PY}
def imports_of(t):
    return [n for n in t.body if isinstance(n,(ast.Import,ast.ImportFrom))]
def top_names(t):
    out=set()
    for n in t.body:
        if isinstance(n,(ast.FunctionDef,ast.ClassDef,ast.AsyncFunctionDef)): out.add(n.name)
        elif isinstance(n,(ast.Assign,ast.AnnAssign)):
            for x in (n.targets if isinstance(n,ast.Assign) else [n.target]):
                for m in ast.walk(x):
                    if isinstance(m,ast.Name): out.add(m.id)
        elif isinstance(n,ast.If):
            for k in n.body:
                if isinstance(k,(ast.FunctionDef,ast.ClassDef)): out.add(k.name)
    return out
def imported(t):
    out={}
    for n in ast.walk(t):
        if isinstance(n,ast.Import):
            for a in n.names: out[(a.asname or a.name.split('.')[0])]=('import',a.name,a.asname)
        elif isinstance(n,ast.ImportFrom):
            for a in n.names: out[a.asname or a.name]=(n.module,a.name,a.asname)
    return out
def idents(t):
    return {n.id for n in ast.walk(t) if isinstance(n,ast.Name)}|{a.arg for n in ast.walk(t) if isinstance(n,(ast.FunctionDef,ast.Lambda)) for a in n.args.args+n.args.kwonlyargs+n.args.posonlyargs}
def seg(src,n):
    L=src.split('\n'); start=n.lineno
    if getattr(n,'decorator_list',None): start=min(start,*[d.lineno for d in n.decorator_list])
    return start,n.end_lineno
def spoken(f):  # how a module is imported in text: solvers/x is gdl.solvers.x, or solvers.x
    return modname(f)
def rename_import(old,new,f):
    """In file f: every import of module `old` becomes one of `new`; attribute uses too. Returns new text."""
    src=text[f]
    if old.rsplit('.',1)[1] not in src: return src
    t=ast.parse(src); edits=[]
    op,on=old.rsplit('.',1); np_,nn=new.rsplit('.',1)
    L=src.split('\n')
    offs=[0]
    for l in L: offs.append(offs[-1]+len(l)+1)
    alias=None; scope=[]
    def pos(ln,col): 
        return offs[ln-1]+len(L[ln-1].encode()[:col].decode())
    rename_attr=False
    for n in ast.walk(t):
        if isinstance(n,ast.ImportFrom) and n.module:
            m=n.module
            olds=[old] + ([old[4:]] if old.startswith('gdl.solvers') else [])
            if m in olds:
                a=pos(n.lineno,n.col_offset); s=src[a:]
                k=s.index(m); edits.append((a+k,a+k+len(m),new if m==old else new[4:]))
            elif m in (op, op[4:] if op.startswith('gdl.solvers') else op):
                for al in n.names:
                    if al.name==on:
                        a=pos(al.lineno,al.col_offset)
                        if np_!=op: raise SystemExit(f'moved to another folder: {old} {f}')
                        edits.append((a,a+len(on),nn))
                        if al.asname is None: rename_attr=True
        elif isinstance(n,ast.Import):
            for al in n.names:
                if al.name==old or al.name.startswith(old+'.'):
                    a=pos(al.lineno,al.col_offset); edits.append((a,a+len(old),new))
    if rename_attr:
        binders={x.arg for x in ast.walk(t) if isinstance(x,ast.arg)}|{x.id for x in ast.walk(t) if isinstance(x,ast.Name) and isinstance(x.ctx,ast.Store)}
        if on in binders: print(f'LOCAL {f}: {on} is a variable too (module {old})')
        ids=idents(t)|set(imported(t))
        if nn in ids and nn!=on: print(f'BOUND {f}: {nn} is used already (module {new})')
        for n in ast.walk(t):
            if isinstance(n,ast.Name) and n.id==on:
                a=pos(n.lineno,n.col_offset); edits.append((a,a+len(on),nn))
    for a,b,x in sorted(set(edits),reverse=True): src=src[:a]+x+src[b:]
    return src
def merge(a,b):
    sa,sb=text[a],text[b]; ta,tb=ast.parse(sa),ast.parse(sb)
    ma,mb=modname(a),modname(b); pa,na=ma.rsplit('.',1)
    problems=[]
    # how b imports a
    drop=[]; aliases={}
    for n in ast.walk(tb):
        if isinstance(n,ast.ImportFrom) and n.module in (ma,):
            if n not in tb.body: problems.append('imported lazily')
            for al in n.names:
                if al.asname: aliases[al.asname]=al.name
            drop.append(n)
        elif isinstance(n,ast.ImportFrom) and n.module==pa and any(x.name==na for x in n.names):
            if n not in tb.body: problems.append('imported lazily')
            problems.append('imported as a module')
        elif isinstance(n,ast.Import) and any(x.name==ma for x in n.names): problems.append('imported by import')
    for n in ast.walk(ta):
        if isinstance(n,ast.ImportFrom) and n.module==mb and (n not in ta.body or any(x.asname for x in n.names)): problems.append('circle: a imports b')
    if aliases: problems.append(f'aliases {aliases}')
    names_a=top_names(ta); names_b=top_names(tb)|set(imported(tb))
    names_b-={al.name for n in drop for al in n.names}
    clash=(names_a&names_b)-{'__all__','TYPE_CHECKING'}
    if clash: problems.append(f'clash {sorted(clash)}')
    ia,ib=imported(ta),imported(tb)
    for k in set(ia)&set(ib):
        if ia[k]!=ib[k] and k!='annotations': problems.append(f'imports {k} differently')
    for k in set(ia)&(top_names(tb)):
        if ia[k][0]!=mb: problems.append(f'a imports {k}, b defines it')
    stores={n.id for n in ast.walk(tb) if isinstance(n,ast.Name) and isinstance(n.ctx,ast.Store)}|{x.arg for x in ast.walk(tb) if isinstance(x,ast.arg)}
    sh=(names_a-{al.name for n in drop for al in n.names})&stores
    sh={s for s in sh}
    if sh: problems.append(f'(shadow, harmless?) {sorted(sh)}')
    return problems,drop
def do_merge(a,b):
    sa,sb=text[a],text[b]; ta,tb=ast.parse(sa),ast.parse(sb)
    ma,mb=modname(a),modname(b)
    La,Lb=sa.split('\n'),sb.split('\n')
    doc=ast.get_docstring(ta) or ''
    headA=[n for n in ta.body if isinstance(n,(ast.Import,ast.ImportFrom))]
    # body of a without docstring, top imports, __future__
    cut=set()
    if ta.body and isinstance(ta.body[0],ast.Expr) and isinstance(ta.body[0].value,ast.Constant): cut|=set(range(1,ta.body[0].end_lineno+1))
    impA=[]
    for n in headA:
        cut|=set(range(n.lineno,n.end_lineno+1))
        if isinstance(n,ast.ImportFrom) and n.module in ('__future__',mb): continue
        impA.append('\n'.join(La[n.lineno-1:n.end_lineno]))
    body='\n'.join(l for i,l in enumerate(La,1) if i not in cut).strip('\n')
    dropB=set(); last=0
    for n in tb.body:
        if isinstance(n,(ast.Import,ast.ImportFrom)):
            last=n.end_lineno
            if isinstance(n,ast.ImportFrom) and n.module==ma: dropB|=set(range(n.lineno,n.end_lineno+1))
    pre=[l for i,l in enumerate(Lb[:last],1) if i not in dropB]
    title=doc.split('\n')[0].rstrip('.')
    lines=doc.split('\n')
    import textwrap
    words=' '.join(' '.join(p.split()) for p in doc.split('\n\n')[:1])
    head='\n'.join('# '+l for l in textwrap.wrap(words,116))
    rest_doc=doc.split('\n\n',1)[1] if '\n\n' in doc else ''
    if rest_doc: head+='\n#\n'+'\n'.join(('# '+l).rstrip() for l in rest_doc.split('\n'))
    # if the first thing of the body is a TYPE_CHECKING block it stays
    rest='\n'.join(Lb[last:]).strip('\n')
    parts=(head+'\n\n'+body,rest) if dropB else (rest,head+'\n\n'+body)
    new='\n'.join(pre)+'\n'+'\n'.join(impA)+'\n\n'+parts[0]+'\n\n\n'+parts[1]+'\n'
    text[b]=new; ast.parse(new)
    del text[a]
    for f in list(text):
        if f!=b: text[f]=rename_import(ma,mb,f)
    return
def total(f): return text[f].count('\n')
merges=[l.split() for l in open(HERE + '/merges.txt')] if os.path.exists(HERE + '/merges.txt') else []
moves=[l.split() for l in open(HERE + '/files.txt')]
if '--candidates' in sys.argv:
    for l in open(HERE + '/small.txt'):
        p=l.split()
        m=re.search(r'ONE:(\S+?)\.py',l)
        if m:
            b=re.search(r'ONE:(.*?\.py)',l).group(1); a=p[0]
            # ONE:<path> was written as path+f without a separator: find importer again
            ma=modname(a); imp=[f for f in text if f!=a and f.startswith(('gdl','solvers')) and re.search(r'\b'+re.escape(ma)+r'\b|from '+re.escape(ma.rsplit('.',1)[0])+r' import [^\n]*\b'+ma.rsplit('.',1)[1]+r'\b',text[f])]
            imp=[f for f in imp if os.path.dirname(f)==os.path.dirname(a)]
            if len(imp)!=1: print('?',a,imp); continue
            pr,_=merge(a,imp[0]); print(a,total(a),'->',imp[0],total(imp[0]),'=',total(a)+total(imp[0]),pr)
    sys.exit()
originals=dict(text)
for a,b in merges:
    pr,_=merge(a,b)
    hard=[p for p in pr if not p.startswith('(shadow')]
    if hard: print('CANNOT',a,b,hard); continue
    if pr: print('note',a,b,pr)
    do_merge(a,b)
m2={}
for o,n in moves:
    if o not in text: print('moved but gone',o); continue
    mo,mn=modname(o),modname(n)
    for f in list(text): text[f]=rename_import(mo,mn,f)
    text[n]=text.pop(o); m2[o]=n
if dry: sys.exit()
for f in originals:
    if f not in text and f not in m2: os.remove(f)
for o,n in m2.items(): os.rename(o,n)
for f,s in text.items(): open(f,'w').write(s)
# mentions in text: paths and dotted names
pairs=[]
for a,b in [*merges,*moves]:
    if not os.path.exists(a): pairs.append((a,b)); pairs.append((modname(a),modname(b)))
    if a.startswith('gdl/'): pairs.append((a[4:],b[4:]))
json_like=[f for f in subprocess.run(['git','ls-files'],capture_output=True,text=True).stdout.split('\n')]
left=[]
for f in sorted(set([x for x in json_like if os.path.isfile(x) and x.endswith(('.md','.py','.pyi','.toml','.yml','.cff','.js','.lark','.txt','.html'))]+list(text))):
    if f=='CHANGELOG.md' or f.startswith('gdl/solvers'): continue
    s=open(f).read(); o=s
    for a,b in pairs:
        s=re.sub(r'(?<![\w/.])'+re.escape(a)+r'(?![\w])',b,s)
    if s!=o: open(f,'w').write(s); print('text',f)
